import type { DeviceMessage, messageDirections } from '@fpay/contract/admin/network/charge-points';
import { sql } from 'kysely';
import {
  answerAwaitedMs,
  createExchangeReader,
  type StoredMessages,
} from '../../ocpp/connections/message-exchanges.ts';
import type { WireExchange } from '../../ocpp/connections/message-frames.ts';
import { messagesWrittenWithinMs } from '../../ocpp/connections/message-log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

interface MessageFilter {
  q?: string | undefined;
  direction?: (typeof messageDirections)[number] | undefined;
  before?: string | undefined;
}

const dayMs = 24 * 3_600_000;
/** How many pages are read for one answer, so that a search for what is not there ends in a moment. */
const mostPages = 4_000;
/** Most answers are full after the first part, so later parts are larger. */
const parts = [100, 900, 3_000] as const;
/** An answer ends with the page in which it reaches this number of messages. */
const enough = 60;

interface StoredPage extends StoredMessages {
  id: number;
  ended_at: Date;
}

/** A place in the log: the page that was read last. */
interface PagePlace {
  endedMs: number;
  id: number;
}

/** Reads the log of one charge point backwards, a bounded part of it at a time. */
export function createMessageSearch(db: Database, clock: Clock, keptDays: number) {
  const pagesBefore = async (chargePoint: number, place: PagePlace | null, limit: number) => {
    const isOlder = place
      ? sql`(p.ended_at, p.id) < (to_timestamp(${place.endedMs}::float8 / 1000), ${place.id}::bigint)`
      : sql`true`;
    const { rows } = await sql<StoredPage>`
      select p.id, p.ended_at, p.lines, p.frames from message_pages p
      where p.charge_point_id = ${chargePoint} and ${isOlder}
        and p.ended_at >= ${new Date(clock.now().getTime() - keptDays * dayMs)}
      order by p.ended_at desc, p.id desc limit ${limit}`.execute(db);
    return rows;
  };

  /** Pages that were shown already and may have answers to calls that follow, newest first. */
  const pagesAfter = async (chargePoint: number, { endedMs, id }: PagePlace) => {
    const { rows } = await sql<StoredPage>`
      select p.id, p.ended_at, p.lines, p.frames from message_pages p
      where p.charge_point_id = ${chargePoint}
        and (p.ended_at, p.id) >= (to_timestamp(${endedMs}::float8 / 1000), ${id}::bigint)
        and p.ended_at <= to_timestamp(${endedMs + answerAwaitedMs}::float8 / 1000)
      order by p.ended_at, p.id limit ${mostPages}`.execute(db);
    return rows.toReversed();
  };

  return async (chargePoint: number, { q = '', direction = 'all', before }: MessageFilter) => {
    const typed = q.trim().toLowerCase();
    const isWanted = ({ from, action, call, answer }: WireExchange) =>
      (direction === 'all' || (direction === 'from') === (from === 'device')) &&
      (typed === '' || [action, call, answer ?? ''].some((text) => text.toLowerCase().includes(typed)));
    // The answer to a call that was sent just now is not written yet.
    const settledAt = clock.now().getTime() - messagesWrittenWithinMs;
    const isSettled = ({ at, answer }: WireExchange) => answer !== null || at <= settledAt;

    const reader = createExchangeReader();
    let place = placeOf(before);
    if (place) for (const page of await pagesAfter(chargePoint, place)) reader.read(page);
    const messages: DeviceMessage[] = [];
    let isEnd = false;
    for (const part of parts) {
      const pages = await pagesBefore(chargePoint, place, part);
      isEnd = pages.length < part;
      for (const [index, page] of pages.entries()) {
        place = { endedMs: page.ended_at.getTime(), id: page.id };
        for (const [at, exchange] of reader.read(page).entries()) {
          if (isWanted(exchange) && isSettled(exchange)) messages.push(messageOf(exchange, `${page.id}-${at}`));
        }
        if (messages.length < enough) continue;
        isEnd &&= index === pages.length - 1;
        break;
      }
      if (isEnd || messages.length >= enough) break;
    }
    const stray = reader.strayAfter(isEnd || !place ? 0 : place.endedMs + answerAwaitedMs).filter(isWanted);
    messages.push(...stray.map((exchange, index) => messageOf(exchange, `${place?.id ?? 0}-stray-${index}`)));
    return {
      messages: messages.toSorted((one, other) => other.at.localeCompare(one.at)),
      next: isEnd || !place ? null : `${place.endedMs}-${place.id}`,
      searched_until: place ? new Date(place.endedMs).toISOString() : null,
    };
  };
}

function placeOf(before: string | undefined): PagePlace | null {
  if (before === undefined) return null;
  const [endedMs = '', id = ''] = before.split('-');
  return { endedMs: Number(endedMs), id: Number(id) };
}

const messageOf = ({ at, from, action, call, answer, answerMs }: WireExchange, key: string): DeviceMessage => ({
  key,
  at: new Date(at).toISOString(),
  from,
  action,
  call,
  answer,
  answer_ms: answerMs,
});

export type MessageSearch = ReturnType<typeof createMessageSearch>;
