import type { MessageId } from './frame.ts';

/** Every irregularity on a link. The link survives each of them. */
export type LinkEvent =
  /** A frame that could not be answered. */
  | { kind: 'badFrame'; reason: string; bytes: number }
  /** A call from the other side that we answered with CALLERROR. */
  | { kind: 'refused'; action: string | null; messageId: MessageId; code: string; description: string }
  /** A payload that did not conform to the standard and was accepted nevertheless. */
  | { kind: 'repaired'; action: string; of: 'request' | 'response'; repairs: readonly string[] }
  /** A bug or an outage on our side. */
  | { kind: 'handlerFailed'; action: string; error: unknown }
  /** A handler that did not finish in time. Its call was abandoned so that the others can continue. */
  | { kind: 'handlerStuck'; action: string; messageId: MessageId }
  /** An answer that came too late or matches no call. */
  | { kind: 'strayAnswer'; messageId: MessageId }
  /** Reading pauses until the backlog is handled, the second is over, or the answers have been read. */
  | { kind: 'slowed'; reason: 'backlog' | 'rate' | 'unread' }
  | { kind: 'socketError'; error: Error }
  | { kind: 'closed'; code: number; reason: string };
