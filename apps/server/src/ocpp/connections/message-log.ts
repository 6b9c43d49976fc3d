import { sql } from 'kysely';
import type { Logger } from 'pino';
import { bigints, byteTexts } from '../../platform/binary-array.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import { frameHead, lineOf } from './message-lines.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
}

interface OpenCall {
  chargePointId: number;
  /** Of the message. */
  id: string;
  at: number;
  from: 'device' | 'server';
  action: string;
  text: string;
}

/**
 * Lines are encoded at once: texts that are kept for seconds would be copied by the garbage collector, which costs more
 * than all the rest of the log.
 */
interface MessagePage {
  chargePointId: number;
  began: number;
  ended: number;
  bytes: Buffer;
  length: number;
}

/** How often pages are written, in ms. Staff who watch a device see a message this much later. */
const writeEveryMs = 1_000;
/** While many devices send at once, pages wait longer, so that each has several messages and there are fewer rows. */
const busyWriteEveryMs = 5_000;
const busyFrom = 300;
/** A row over 2 KB would be compressed and stored in a second table, which costs more than the row. */
const pageBytes = 1_900;
/** A character of UTF-16 is at most three bytes of UTF-8. */
const bytesPerCharacter = 3;
/** Longer than any answer of a device is awaited. */
const unansweredAfterMs = 65_000;
/** Above this messages are dropped: the log must not fill the memory while the database is away. */
const mostPages = 20_000;

/**
 * Keeps what goes over the sockets of this node. It is a log: nothing waits for it, and what a killed node had not
 * written is lost.
 */
export function createMessageLog({ db, clock, log }: Dependencies) {
  /** The last call of each device and of ours to it: nearly every answer belongs to it. */
  const last = { in: new Map<number, OpenCall>(), out: new Map<number, OpenCall>() };
  /** Calls that were overtaken by another one before their answer. */
  const overtaken = new Map<string, OpenCall>();
  const pages = new Map<number, MessagePage>();
  const spare: Buffer[] = [];
  let full: MessagePage[] = [];
  let dropped = 0;
  /** How often the pages were kept back. */
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const keyOf = ({ chargePointId, from, id }: Pick<OpenCall, 'chargePointId' | 'from' | 'id'>) =>
    `${chargePointId} ${from} ${id}`;

  function add({ chargePointId, at, from, action, text }: OpenCall, answer: string | null, now: number): void {
    const line = lineOf({ at, from, action, call: text, answer, answerMs: answer === null ? null : now - at });
    let page = pages.get(chargePointId);
    if (page && line.length * bytesPerCharacter + 1 > page.bytes.length - page.length) {
      // Most lines are ASCII, so the exact length is counted only where the estimate does not fit.
      if (Buffer.byteLength(line) + 1 > page.bytes.length - page.length) {
        full.push(page);
        page = undefined;
      }
    }
    if (!page) {
      const needed = line.length > pageBytes / bytesPerCharacter ? Buffer.byteLength(line) : 0;
      const bytes =
        needed > pageBytes ? Buffer.allocUnsafeSlow(needed) : (spare.pop() ?? Buffer.allocUnsafeSlow(pageBytes));
      page = { chargePointId, began: at, ended: at, bytes, length: 0 };
      pages.set(chargePointId, page);
    } else {
      page.bytes[page.length] = lineBreak;
      page.length += 1;
      if (at > page.ended) page.ended = at;
      if (at < page.began) page.began = at;
    }
    page.length += page.bytes.write(line, page.length);
    wakeLater();
  }

  function wakeLater(): void {
    timer ??= setTimeout(() => void write(), writeEveryMs).unref();
  }

  /** Calls without an answer, of all devices. */
  function unanswered(before: number): void {
    for (const calls of [last.in, last.out, overtaken]) {
      for (const [key, call] of calls) {
        if (call.at > before) continue;
        (calls as Map<unknown, OpenCall>).delete(key);
        add(call, null, call.at);
      }
    }
  }

  const hasOpenCalls = () => last.in.size + last.out.size + overtaken.size > 0;

  function write(isLast = false): Promise<void> {
    timer = undefined;
    ticks += 1;
    if (ticks === 1 || isLast)
      unanswered(isLast ? Number.POSITIVE_INFINITY : clock.now().getTime() - unansweredAfterMs);
    clearTimeout(timer);
    timer = undefined;
    const isBusy = !isLast && pages.size >= busyFrom && ticks * writeEveryMs < busyWriteEveryMs;
    const taken = isBusy ? full : [...full, ...pages.values()];
    full = [];
    if (!isBusy) {
      pages.clear();
      ticks = 0;
    }
    if (!isLast && (hasOpenCalls() || isBusy)) wakeLater();
    if (taken.length === 0) return writing;
    writing = writing.then(() =>
      insert(taken).catch((error: unknown) => {
        log.warn({ err: error, pages: taken.length }, 'message log failed');
      }),
    );
    return writing;
  }

  async function insert(taken: readonly MessagePage[]): Promise<void> {
    const lines = byteTexts(taken, ({ bytes, length }) => bytes.subarray(0, length));
    for (const { bytes } of taken) if (bytes.length === pageBytes && spare.length < mostPages) spare.push(bytes);
    await sql`${sql.raw(preparedStatementMarker)}
      insert into message_pages (charge_point_id, began_at, ended_at, lines)
      select v.charge_point_id, to_timestamp(v.began::float8 / 1000), to_timestamp(v.ended::float8 / 1000), v.lines
      from unnest(${bigints(taken, ({ chargePointId }) => chargePointId)}::bigint[],
        ${bigints(taken, ({ began }) => began)}::bigint[], ${bigints(taken, ({ ended }) => ended)}::bigint[],
        ${lines}::text[]) as v (charge_point_id, began, ended, lines)`.execute(db);
  }

  /** A frame in one direction. */
  function trace(direction: 'in' | 'out', text: string, { context }: { context: { chargePointId: number } }): void {
    if (full.length > mostPages) {
      dropped += 1;
      if (dropped % 10_000 === 1) log.warn({ dropped }, 'message log overflowed');
      return;
    }
    const { chargePointId } = context;
    const now = clock.now().getTime();
    const frame = frameHead(text);
    if (frame.kind === 'call') {
      const calls = last[direction];
      const earlier = calls.get(chargePointId);
      if (earlier) overtake(earlier, now);
      const from = direction === 'in' ? 'device' : 'server';
      calls.set(chargePointId, { chargePointId, id: frame.id, at: now, from, action: frame.action, text });
      wakeLater();
      return;
    }
    // The answer goes the other way.
    const calls = direction === 'in' ? last.out : last.in;
    const from = direction === 'in' ? 'server' : 'device';
    const latest = calls.get(chargePointId);
    if (frame.kind === 'answer' && latest?.id === frame.id) {
      calls.delete(chargePointId);
      add(latest, text, now);
      return;
    }
    const key = frame.kind === 'answer' ? keyOf({ chargePointId, from, id: frame.id }) : '';
    const call = overtaken.get(key);
    overtaken.delete(key);
    const unknown = {
      chargePointId,
      id: '',
      at: now,
      from: from === 'device' ? 'server' : 'device',
      action: '',
      text,
    } as const;
    if (call) add(call, text, now);
    else add(unknown, null, now);
  }

  function overtake(call: OpenCall, now: number): void {
    const key = keyOf(call);
    const earlier = overtaken.get(key);
    overtaken.set(key, call);
    // A device that uses an id twice has two calls.
    if (earlier) add(earlier, null, now);
  }

  return {
    /** Options of a link whose messages are kept. */
    link: { trace },

    /** Writes everything, also calls that will not be answered any more. */
    async drain(): Promise<void> {
      clearTimeout(timer);
      await write(true);
    },
  };
}

const lineBreak = 0x0a;
