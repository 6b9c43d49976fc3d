import { frameHead, framesOf, readLine, strayFrame, type WireExchange, type WireText } from './message-frames.ts';

/** The content of a stored page: frames, or lines when an older version wrote it. */
export interface StoredMessages {
  lines: string | null;
  frames: Buffer | null;
}

/** Longer than any answer is awaited, so an older call gets none any more. */
export const answerAwaitedMs = 65_000;

const linesOf = ({ lines }: StoredMessages): WireExchange[] => lines?.split('\n').map(readLine) ?? [];

/** The frames of a page in the order of time. */
export function wireTextsOf(page: StoredMessages): WireText[] {
  if (page.frames) return framesOf(page.frames);
  return linesOf(page).flatMap(({ at, from, call, answer, answerMs }) => {
    const isFrom = from === 'device';
    const sent: WireText = { at, direction: isFrom ? 'in' : 'out', text: call };
    if (answer === null) return [sent];
    return [sent, { at: at + (answerMs ?? 0), direction: isFrom ? 'out' : 'in', text: answer } satisfies WireText];
  });
}

/**
 * Joins calls with their answers while pages are read backwards in time: an answer is met before its call, which may be
 * in an older page. An id that is used again belongs to the nearest call before the answer.
 */
export function createExchangeReader() {
  const answers = new Map<string, WireText>();
  const keyOf = (caller: 'in' | 'out', id: string) => `${caller} ${id}`;

  return {
    /** The exchanges whose calls are in the page, newest first. */
    read(page: StoredMessages): WireExchange[] {
      if (!page.frames) return linesOf(page).toReversed();
      const exchanges: WireExchange[] = [];
      for (const frame of framesOf(page.frames).toReversed()) {
        const head = frameHead(frame.text);
        if (head.kind === 'unreadable') {
          exchanges.push(strayFrame(frame));
        } else if (head.kind === 'answer') {
          const key = keyOf(frame.direction === 'in' ? 'out' : 'in', head.id);
          const later = answers.get(key);
          // A second answer to the same call.
          if (later) exchanges.push(strayFrame(later));
          answers.set(key, frame);
        } else {
          const key = keyOf(frame.direction, head.id);
          const answer = answers.get(key);
          answers.delete(key);
          exchanges.push({
            at: frame.at,
            from: frame.direction === 'in' ? 'device' : 'server',
            action: head.action === '' ? '?' : head.action,
            call: frame.text,
            answer: answer?.text ?? null,
            answerMs: answer ? answer.at - frame.at : null,
          });
        }
      }
      return exchanges;
    },

    /** Answers after this time whose calls are not in the log. Those before it may still find theirs. */
    strayAfter(time: number): WireExchange[] {
      return [...answers.values()].filter(({ at }) => at > time).map(strayFrame);
    },
  };
}
