/** One call with its answer, as it went over the wire. */
export interface WireExchange {
  /** When the call was sent or received, in ms. */
  at: number;
  /** Who called. */
  from: 'device' | 'server';
  action: string;
  call: string;
  /** Null when there was none in time. */
  answer: string | null;
  answerMs: number | null;
}

/** A call that is longer is cut: the log is for reading, and no message of the standard needs more. */
const longestText = 20_000;
/** For a frame that is no call and no answer. */
const unreadable = '?';

export type WireFrame =
  | { kind: 'call'; id: string; action: string }
  | { kind: 'answer'; id: string }
  | { kind: 'unreadable' };

const spacedFrame = /^\s*\[\s*([234])\s*,\s*"([^"]*)"\s*,(?:\s*"([^"]*)")?/;

/**
 * Reads only the beginning of a frame, because the link parses the whole one anyway and this runs for every message.
 */
export function frameHead(text: string): WireFrame {
  // Nearly every device writes no spaces, and then two searches are enough.
  if (text.startsWith('[2,"') || text.startsWith('[3,"')) {
    const idEnd = text.indexOf('"', 4);
    if (idEnd > 0 && text.charCodeAt(1) === 0x33) return { kind: 'answer', id: text.slice(4, idEnd) };
    const actionEnd = idEnd > 0 && text.startsWith(',"', idEnd + 1) ? text.indexOf('"', idEnd + 3) : -1;
    if (actionEnd > 0) return { kind: 'call', id: text.slice(4, idEnd), action: text.slice(idEnd + 3, actionEnd) };
  }
  const [, type, id = '', action] = spacedFrame.exec(text) ?? [];
  if (type === '2' && action !== undefined) return { kind: 'call', id, action };
  return type === '3' || type === '4' ? { kind: 'answer', id } : { kind: 'unreadable' };
}

/** A line of a page. Tabs and line breaks occur only between the tokens of JSON, where a space means the same. */
export function lineOf({ at, from, action, call, answer, answerMs }: WireExchange): string {
  const name = action === '' ? unreadable : action;
  const sent = clean(withoutSecrets(name, call));
  const said = answer === null ? '' : clean(withoutSecrets(name, answer));
  return `${at}\t${from === 'device' ? 'd' : 's'}\t${answerMs ?? ''}\t${clean(name)}\t${sent}\t${said}`;
}

export function readLine(line: string): WireExchange {
  const [at = '0', from, answerMs = '', action = unreadable, call = '', answer = ''] = line.split('\t');
  return {
    at: Number(at),
    from: from === 'd' ? 'device' : 'server',
    action,
    call,
    answer: answer === '' ? null : answer,
    answerMs: answerMs === '' ? null : Number(answerMs),
  };
}

/** Separators of a line, and NUL, which the database does not store. */
const separators = ['\n', '\t', '\r', '\0'] as const;

/** A search for one character is many times as fast as a regular expression, and nearly all messages have none. */
function clean(text: string): string {
  let cleaned = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  for (const separator of separators) if (cleaned.includes(separator)) cleaned = cleaned.replaceAll(separator, ' ');
  return cleaned;
}

const secretKeys = /"(key|value)"\s*:\s*"(?:[^"\\]|\\.)*"/g;

/** The key of a device is never stored in readable form, and two messages may contain it. */
function withoutSecrets(action: string, text: string): string {
  if (action !== 'ChangeConfiguration' && action !== 'GetConfiguration') return text;
  if (!/AuthorizationKey/i.test(text)) return text;
  return text.replace(/\{[^{}]*AuthorizationKey[^{}]*\}/gi, (item) =>
    item.replace(secretKeys, (pair, name: string) => (name === 'value' ? '"value":"***"' : pair)),
  );
}
