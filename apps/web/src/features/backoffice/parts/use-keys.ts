import { useEffect, useRef } from 'react';

/** Keys of a page, without modifiers. They do nothing while a text is typed or a dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const target = event.target as HTMLElement | null;
      const isTyping = target?.closest?.('input, textarea, select, [role="dialog"]');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // The physical key, so that the shortcuts work with a Ukrainian layout too.
      const action = latest.current[event.code];
      if (!action) return;
      event.preventDefault();
      action();
    }
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Moves the focus to the next or previous row of a list; rows are links with `data-row`. */
export function moveRow(step: 1 | -1): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-row]'));
  const now = rows.indexOf(document.activeElement as HTMLElement);
  rows[now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + step))]?.focus();
}
