import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { createReader } from './reader.ts';

/** Ten looks a second are as good as all, and leave the phone cool. */
const pauseMs = 100;
/** What was refused is not refused again while it stays in view. */
const forgottenAfterMs = 1500;

/**
 * Reads codes from the video while `isOn`, one at a time: `onCode` says, when it is done with one, whether it was ours.
 * Gives whether the reader itself could not be had.
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
