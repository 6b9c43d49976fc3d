import { type PointerEvent, useRef } from 'react';

/** Beyond this distance the sheet closes; below it returns. */
const farEnoughPx = 80;

/** Handlers for a grabber: the dialog follows the finger down and closes when pulled far enough. */
export function useDragDown(onClose: () => void) {
  const start = useRef<number | null>(null);
  const sheetOf = (event: PointerEvent) => (event.currentTarget as HTMLElement).closest<HTMLElement>('[role="dialog"]');

  const pulledPx = (event: PointerEvent) => (start.current === null ? 0 : Math.max(0, event.clientY - start.current));
  const follow = (event: PointerEvent, px: number) => {
    const sheet = sheetOf(event);
    if (sheet) sheet.style.translate = px ? `0 ${px}px` : '';
  };

  return {
    onPointerDown(event: PointerEvent) {
      start.current = event.clientY;
      event.currentTarget.setPointerCapture?.(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== null) follow(event, pulledPx(event));
    },
    onPointerUp(event: PointerEvent) {
      const isFarEnough = pulledPx(event) >= farEnoughPx;
      start.current = null;
      if (isFarEnough) onClose();
      else follow(event, 0);
    },
    onPointerCancel(event: PointerEvent) {
      start.current = null;
      follow(event, 0);
    },
  };
}
