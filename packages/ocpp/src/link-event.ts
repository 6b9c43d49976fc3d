import type { MessageId } from './frame.ts';

/** Everything odd that happens on a link; each is survived. */
export type LinkEvent =
  /** A frame that could not even be answered. */
  | { kind: 'badFrame'; reason: string; bytes: number }
  /** A call of theirs that we answered with CALLERROR. */
  | { kind: 'refused'; action: string | null; messageId: MessageId; code: string; description: string }
  /** A payload that was not of the standard and was taken all the same. */
  | { kind: 'repaired'; action: string; of: 'request' | 'response'; repairs: readonly string[] }
  /** A bug or an outage of ours. */
  | { kind: 'handlerFailed'; action: string; error: unknown }
  /** A handler that did not end in time; its call was given up so that the others can go on. */
  | { kind: 'handlerStuck'; action: string; messageId: MessageId }
  /** An answer that came too late or to nothing we asked. */
  | { kind: 'strayAnswer'; messageId: MessageId }
  /** Reading pauses until the backlog is worked off, the second is over, or the answers have been read. */
  | { kind: 'slowed'; reason: 'backlog' | 'rate' | 'unread' }
  | { kind: 'socketError'; error: Error }
  | { kind: 'closed'; code: number; reason: string };
