import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { createReader } from './reader.ts';

/** Ten frames a second are enough and save battery. */
const pauseMs = 100;
/** A refused code is not reported again while it stays visible. */
const forgottenAfterMs = 1500;

/**
 * Reads codes from the video while `isOn`, one at a time; `onCode` returns whether the code was ours. Returns whether
 * the reader itself could not be loaded.
 */
export function useScan(
  video: RefObject<HTMLVideoElement | null>,
  isOn: boolean,
  onCode: (text: string) => Promise<boolean>,
): boolean {
  const [isBroken, setBroken] = useState(false);
  const take = useEffectEvent(onCode);

  useEffect(() => {
    if (!isOn) return;
    const leaving = new AbortController();
    setBroken(false);
    scan(leaving.signal).catch(() => leaving.signal.aborted || setBroken(true));
    return () => leaving.abort();

    async function scan(signal: AbortSignal): Promise<void> {
      const read = await createReader();
      let refused = { text: '', seenAt: 0 };
      while (!signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const frame = video.current;
        if (signal.aborted || !frame || frame.readyState < frame.HAVE_CURRENT_DATA) continue;
        const text = await read(frame);
        if (signal.aborted || text === null) continue;
        const isKnown = text === refused.text && Date.now() - refused.seenAt < forgottenAfterMs;
        if (!isKnown && (await take(text))) return;
        refused = { text, seenAt: Date.now() };
      }
    }
  }, [isOn, video]);

  return isBroken;
}
