import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import { bigints, byteStrings } from '../../platform/rows/binary-array.ts';
import { textWithoutPasswords } from './device-passwords.ts';
import { createFrameBuffer, type MessagePage } from './frame-buffer.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
}

interface TracedLink {
  context: { chargePointId: number };
  heardAt: number;
}

/** How often frames are written, in ms. Staff who watch a device see a message this much later. */
const writeEveryMs = 1_000;
/** While much is sent, frames wait longer, so that a page has several of them and there are fewer rows. */
const busyWriteEveryMs = 5_000;
const busyFromBytes = 128 * 1024;
/** A frame is in the database this long after it was sent, unless the database is slow or away. */
export const messagesWrittenWithinMs = busyWriteEveryMs + writeEveryMs;
/** So many frames are not held back any longer. */
const fullBytes = 16 * 1024 * 1024;
/** Above this frames are dropped: the log must not fill the memory while the database is away. */
const mostBytes = 4 * fullBytes;
/** A statement of some MB; the socket to the database is free for readings between two of them. */
const pagesInStatement = 500;

/**
 * Keeps what goes over the sockets of this node. It is a log: nothing waits for it, and what a killed node had not
 * written is lost.
 */
export function createMessageLog({ db, clock, log }: Dependencies) {
  const buffer = createFrameBuffer();
  let dropped = 0;
  /** Of pages that are being written. */
  let writingBytes = 0;
  let heldSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const hasRoom = (): boolean => {
    if (buffer.length + writingBytes <= mostBytes) return true;
    dropped += 1;
    if (dropped % 10_000 === 1) log.warn({ dropped }, 'message log overflowed');
    return false;
  };

  /** Runs for every message, so it only copies the bytes. */
  function received(frame: Buffer, { context: { chargePointId }, heardAt }: TracedLink): void {
    if (!hasRoom()) return;
    // Passwords can be in answers of a device. Its calls are nearly all messages and have no place for it.
    if (frame[1] === callType && frame[0] === openingBracket) buffer.addBytes(chargePointId, heardAt, frame);
    else buffer.addBytes(chargePointId, heardAt, bytesWithoutPasswords(frame));
    writeLater(heardAt);
  }

  function sent(frame: string, { context: { chargePointId } }: TracedLink): void {
    if (!hasRoom()) return;
    const at = clock.now().getTime();
    buffer.addText(chargePointId, at, frame.charCodeAt(1) === callType ? textWithoutPasswords(frame) : frame);
    writeLater(at);
  }

  function writeLater(at: number): void {
    if (timer !== undefined) return;
    heldSince = at;
    timer = setTimeout(tick, writeEveryMs).unref();
  }

  function tick(): void {
    const isHeld = buffer.length >= busyFromBytes && buffer.length < fullBytes;
    if (isHeld && clock.now().getTime() - heldSince < busyWriteEveryMs - writeEveryMs / 2) {
      timer = setTimeout(tick, writeEveryMs).unref();
      return;
    }
    timer = undefined;
    void write();
  }

  function write(): Promise<void> {
    const pages = buffer.take();
    const size = pages.reduce((sum, { frames }) => sum + frames.length, 0);
    writingBytes += size;
    writing = writing.then(async () => {
      try {
        for (let first = 0; first < pages.length; first += pagesInStatement) {
          await insert(pages.slice(first, first + pagesInStatement));
        }
      } catch (error) {
        log.warn({ err: error, pages: pages.length }, 'message log failed');
      } finally {
        writingBytes -= size;
      }
    });
    return writing;
  }

  async function insert(pages: readonly MessagePage[]): Promise<void> {
    await sql`${sql.raw(preparedStatementMarker)}
      insert into message_pages (charge_point_id, began_at, ended_at, frames)
      select v.charge_point_id, to_timestamp(v.began::float8 / 1000), to_timestamp(v.ended::float8 / 1000), v.frames
      from unnest(${bigints(pages, ({ chargePointId }) => chargePointId)}::bigint[],
        ${bigints(pages, ({ began }) => began)}::bigint[], ${bigints(pages, ({ ended }) => ended)}::bigint[],
        ${byteStrings(pages, ({ frames }) => frames)}::bytea[]) as v (charge_point_id, began, ended, frames)`.execute(
      db,
    );
  }

  return {
    /** Options of a link whose messages are kept. */
    link: { received, sent },

    /** Writes everything. */
    async drain(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      await write();
    },
  };
}

const openingBracket = 0x5b;
const callType = 0x32;

function bytesWithoutPasswords(frame: Buffer): Buffer {
  const text = frame.toString();
  const cleaned = textWithoutPasswords(text);
  return cleaned === text ? frame : Buffer.from(cleaned);
}
