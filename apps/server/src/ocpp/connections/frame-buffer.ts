import { frameBytes, frameFlags, frameHeaderBytes, writeFrameHeader } from './message-frames.ts';

/** Frames of one device, as a row of the log stores them. */
export interface MessagePage {
  chargePointId: number;
  /** When the first and the last frame of the page went over the wire. */
  began: number;
  ended: number;
  frames: Buffer;
}

/** A frame that is longer is cut: the log is for reading, and only the readings of a whole night need more. */
const longestFrame = 20_000;
/** With the other columns, two such rows fill a page of PostgreSQL. */
export const pageBytes = 4_000;
/** The device of each frame stands before it, because frames of all devices are collected together. */
const ownerBytes = 8;
const firstBytes = 256 * 1024;
const keptBytes = 32 * 1024 * 1024;
/** Most answers of ours are shorter, and a loop copies them faster than a call out of JavaScript. */
const shortText = 100;
/** A character of UTF-16 is at most three bytes of UTF-8. */
const bytesPerCharacter = 3;

/**
 * Collects the frames of all sockets in the order of their arrival in one block of memory. Objects and texts that are
 * kept for seconds would be copied by the garbage collector, which costs more than all the rest of the log.
 */
export function createFrameBuffer() {
  let bytes = Buffer.allocUnsafeSlow(firstBytes);
  let view = viewOf(bytes);
  let length = 0;

  function reserve(needed: number): void {
    if (length + needed <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, length + needed));
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
    view = viewOf(bytes);
  }

  /** The frame is in its place already. */
  function close(chargePointId: number, at: number, size: number, flags: number): void {
    view.setFloat64(length, chargePointId);
    writeFrameHeader(view, length + ownerBytes, at, size, flags);
    length += ownerBytes + frameHeaderBytes + size;
  }

  return {
    get length(): number {
      return length;
    },

    /** A frame that arrived. */
    addBytes(chargePointId: number, at: number, frame: Buffer): void {
      const isCut = frame.length > longestFrame;
      const size = isCut ? longestFrame : frame.length;
      reserve(ownerBytes + frameHeaderBytes + size);
      bytes.set(isCut ? frame.subarray(0, size) : frame, length + ownerBytes + frameHeaderBytes);
      close(chargePointId, at, size, isCut ? frameFlags.cut : 0);
    },

    /** A frame that was sent. */
    addText(chargePointId: number, at: number, frame: string): void {
      const most = Math.min(frame.length * bytesPerCharacter, longestFrame);
      reserve(ownerBytes + frameHeaderBytes + most);
      const start = length + ownerBytes + frameHeaderBytes;
      let size = asciiInto(bytes, start, frame);
      let isCut = false;
      if (size < 0) {
        // A character that does not fit is not begun.
        size = bytes.write(frame, start, most);
        isCut = most === longestFrame && Buffer.byteLength(frame) > size;
      }
      close(chargePointId, at, size, frameFlags.out + (isCut ? frameFlags.cut : 0));
    },

    /** Everything that was collected, by device. The buffer is empty afterwards. */
    take(): MessagePage[] {
      const pages = pagesOf(view, bytes, length);
      length = 0;
      // The memory of a time without the database is given back; that of a busy one is needed again at once.
      if (bytes.length > keptBytes) {
        bytes = Buffer.allocUnsafeSlow(firstBytes);
        view = viewOf(bytes);
      }
      return pages;
    },
  };
}

/** Returns the length, or -1 when the text is long or has other letters. */
function asciiInto(bytes: Buffer, start: number, text: string): number {
  if (text.length > shortText) return -1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return -1;
    bytes[start + index] = code;
  }
  return text.length;
}

const viewOf = (bytes: Buffer) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

interface PlannedPage {
  page: MessagePage;
  size: number;
  next: number;
}

/** Two passes: the first finds the sizes of the pages, the second copies each frame to its place. */
function pagesOf(view: DataView, bytes: Buffer, length: number): MessagePage[] {
  const planned: PlannedPage[] = [];
  const open = new Map<number, PlannedPage[]>();
  for (let offset = 0; offset < length; ) {
    const chargePointId = view.getFloat64(offset);
    const size = frameBytes(view, offset + ownerBytes);
    const at = view.getFloat64(offset + ownerBytes);
    let own = open.get(chargePointId);
    if (!own) {
      own = [];
      open.set(chargePointId, own);
    }
    let last = own.at(-1);
    if (!last || last.size + size > pageBytes) {
      last = { page: { chargePointId, began: at, ended: at, frames: noBytes }, size: 0, next: 0 };
      own.push(last);
      planned.push(last);
    }
    last.size += size;
    if (at > last.page.ended) last.page.ended = at;
    offset += ownerBytes + size;
  }
  const all = Buffer.allocUnsafe(planned.reduce((sum, { size }) => sum + size, 0));
  let start = 0;
  for (const one of planned) {
    one.page.frames = all.subarray(start, start + one.size);
    start += one.size;
  }
  for (let offset = 0; offset < length; ) {
    const size = frameBytes(view, offset + ownerBytes);
    const own = open.get(view.getFloat64(offset)) as PlannedPage[];
    if ((own[0] as PlannedPage).next === (own[0] as PlannedPage).size) own.shift();
    const to = own[0] as PlannedPage;
    bytes.copy(to.page.frames, to.next, offset + ownerBytes, offset + ownerBytes + size);
    to.next += size;
    offset += ownerBytes + size;
  }
  return planned.map(({ page }) => page);
}

const noBytes = Buffer.alloc(0);
