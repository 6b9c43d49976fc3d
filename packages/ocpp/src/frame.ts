import { MAX_ERROR_DESCRIPTION, MAX_MESSAGE_ID, MAX_TOLERATED_MESSAGE_ID } from './limits.ts';
import { parseRepaired } from './repair-json.ts';
import { storable } from './values.ts';

/**
 * Some firmware uses numbers as message ids. The answer repeats the number, because the charge point would not
 * recognise a string.
 */
export type MessageId = string | number;

export const CALL = 2;
export const CALLRESULT = 3;
export const CALLERROR = 4;

export type Frame =
  | { type: typeof CALL; id: MessageId; action: string; payload: unknown; isRepaired: boolean }
  | { type: typeof CALLRESULT; id: MessageId; payload: unknown }
  | { type: typeof CALLERROR; id: MessageId; code: string; description: string; details: unknown }
  /** A call that cannot be handled, but whose sender waits for an answer. */
  | { type: 'bad'; id: MessageId; reason: string }
  /** A frame that gets no answer, because it has no id or is not a call. */
  | { type: 'noise'; reason: string };

/** Never throws for any text. */
export function parseFrame(text: string): Frame {
  let parsed: unknown;
  let isRepaired = false;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = parseRepaired(text);
    isRepaired = parsed !== undefined;
    if (!isRepaired) return unparsedFrame(text, 'not JSON');
  }
  if (!Array.isArray(parsed)) return { type: 'noise', reason: 'not an array' };
  switch (parsed[0]) {
    case CALL:
      return call(parsed, isRepaired);
    case CALLRESULT:
      if (!isId(parsed[1])) return { type: 'noise', reason: 'an answer without an id' };
      return { type: CALLRESULT, id: parsed[1], payload: parsed[2] ?? {} };
    case CALLERROR:
      if (!isId(parsed[1])) return { type: 'noise', reason: 'an error without an id' };
      return {
        type: CALLERROR,
        id: parsed[1],
        code: typeof parsed[2] === 'string' ? storable(parsed[2].slice(0, MAX_ERROR_DESCRIPTION)) : 'GenericError',
        description: typeof parsed[3] === 'string' ? storable(parsed[3].slice(0, MAX_ERROR_DESCRIPTION)) : '',
        details: parsed[4],
      };
    default:
      // The standard requires that a message of an unknown type is ignored.
      return { type: 'noise', reason: 'unknown message type' };
  }
}

function call(parsed: unknown[], isRepaired: boolean): Frame {
  const [, id, action, payload] = parsed;
  if (typeof id === 'string' && id.length > MAX_TOLERATED_MESSAGE_ID) {
    return { type: 'bad', id: id.slice(0, MAX_MESSAGE_ID), reason: 'message id too long' };
  }
  if (!isId(id)) return { type: 'noise', reason: 'a call without an id' };
  if (typeof action !== 'string') return { type: 'bad', id, reason: 'a call without an action' };
  // An empty payload is `{}`; some charge points omit it or send null.
  return { type: CALL, id, action, payload: payload ?? {}, isRepaired };
}

function isId(id: unknown): id is MessageId {
  return (typeof id === 'string' && id !== '' && id.length <= MAX_TOLERATED_MESSAGE_ID) || Number.isFinite(id);
}

const callOpening = /^\s*\[\s*2\s*,\s*"([^"\\]{1,36})"/;

/**
 * For a frame that cannot be parsed or is too large: returns the id of the call when the beginning of the frame
 * contains one.
 */
export function unparsedFrame(text: string, reason: string): Frame {
  const id = callOpening.exec(text.slice(0, 256))?.[1];
  return id === undefined ? { type: 'noise', reason } : { type: 'bad', id, reason };
}

export function callText(id: string, action: string, payload: object): string {
  return `[2,${JSON.stringify(id)},${JSON.stringify(action)},${JSON.stringify(payload)}]`;
}

export function resultText(id: MessageId, payload: object): string {
  return `[3,${JSON.stringify(id)},${JSON.stringify(payload)}]`;
}

export function ocppErrorText(id: MessageId, code: string, description: string, details: object = {}): string {
  const cut = description.slice(0, MAX_ERROR_DESCRIPTION);
  return `[4,${JSON.stringify(id)},${JSON.stringify(code)},${JSON.stringify(cut)},${JSON.stringify(details)}]`;
}

/**
 * Returns the whole WebSocket frame of an ASCII text of up to 125 characters, unmasked as a server sends it, to be
 * written as `latin1`; null for any other text. Nearly every answer is that short, and one write costs a quarter less
 * than `ws` needs for texts of any length.
 */
export function shortFrame(text: string): string | null {
  return text.length <= 125 && isAscii.test(text) ? FINAL_TEXT + String.fromCharCode(text.length) + text : null;
}

const FINAL_TEXT = '\x81';
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII too
const isAscii = /^[\x00-\x7f]*$/;
