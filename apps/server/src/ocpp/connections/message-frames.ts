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

/** One frame in one direction. */
export interface WireText {
  at: number;
  direction: 'in' | 'out';
  text: string;
}

/** For a frame that is no call and no answer. */
const unreadable = '?';

export type WireFrame =
  | { kind: 'call'; id: string; action: string }
  | { kind: 'answer'; id: string }
  | { kind: 'unreadable' };

const spacedFrame = /^\s*\[\s*([234])\s*,\s*"([^"]*)"\s*,(?:\s*"([^"]*)")?/;

/** Reads only the beginning of a frame, because a search reads thousands of them. */
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

/**
 * The layout of a block: for each frame its time (a double), its length with two flags (32 bits), and its bytes. Frames
 * follow each other in the order of time.
 */
const lengthAt = 8;
export const frameHeaderBytes = 12;
/** The rest of the 32 bits is the length. */
export const frameFlags = { out: 0x8000_0000, cut: 0x4000_0000 } as const;
const lengthMask = 0x3fff_ffff;

/** `flags` is a sum of `frameFlags`, because the bit operators of JavaScript would make it negative. */
export function writeFrameHeader(view: DataView, offset: number, at: number, length: number, flags: number): void {
  view.setFloat64(offset, at);
  view.setUint32(offset + lengthAt, length + flags);
}

/** How many bytes the frame has whose header is there, with the header. */
export const frameBytes = (view: DataView, offset: number): number =>
  frameHeaderBytes + (view.getUint32(offset + lengthAt) & lengthMask);

/** Devices may send bytes that are no UTF-8; they are shown with replacement characters. */
export function framesOf(block: Buffer): WireText[] {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const frames: WireText[] = [];
  for (let offset = 0; offset < block.length; offset += frameBytes(view, offset)) {
    const word = view.getUint32(offset + lengthAt);
    const text = block.toString('utf8', offset + frameHeaderBytes, offset + frameBytes(view, offset));
    frames.push({
      at: view.getFloat64(offset),
      direction: (word & frameFlags.out) === 0 ? 'in' : 'out',
      text: (word & frameFlags.cut) === 0 ? text : `${text.replace(/\ufffd+$/, '')}…`,
    });
  }
  return frames;
}

/** A line of a page that was stored before frames were: a call with its answer, separated by tabs. */
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

/** A frame that is no call: an answer whose call is not in the log, or something that cannot be read. */
export const strayFrame = ({ at, direction, text }: WireText): WireExchange => ({
  at,
  from: direction === 'in' ? 'device' : 'server',
  action: unreadable,
  call: text,
  answer: null,
  answerMs: null,
});
