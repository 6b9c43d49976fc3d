import type { DeviceMessage, messageDirections } from '@fpay/contract/admin/network/charge-points';
import { sql } from 'kysely';
import { readLine, type WireExchange } from '../../ocpp/connections/message-lines.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

interface MessageFilter {
  q?: string | undefined;
  direction?: (typeof messageDirections)[number] | undefined;
  before?: string | undefined;
}

const dayMs = 24 * 3_600_000;
/** How many pages are read for one answer, so that a search for what is not there ends in a moment. */
const pagesAtOnce = 4_000;
/** An answer ends with the page in which it reaches this number of messages. */
const enough = 60;

interface StoredPage {
  id: number;
  ended_at: Date;
  lines: string;
}

/** Reads the log of one charge point backwards, a bounded part of it at a time. */
export function createMessageSearch(db: Database, clock: Clock, keptDays: number) {
  return async (chargePoint: number, { q = '', direction = 'all', before }: MessageFilter) => {
    const typed = q.trim().toLowerCase();
    const [endedMs = '', id = ''] = before?.split('-') ?? [];
    const upTo =
      before === undefined
        ? sql`true`
        : sql`(p.ended_at, p.id) < (to_timestamp(${Number(endedMs)}::float8 / 1000), ${Number(id)}::bigint)`;
    const { rows } = await sql<StoredPage>`
      select p.id, p.ended_at, p.lines from message_pages p
      where p.charge_point_id = ${chargePoint} and ${upTo}
        and p.ended_at >= ${new Date(clock.now().getTime() - keptDays * dayMs)}
      order by p.ended_at desc, p.id desc limit ${pagesAtOnce}`.execute(db);
    const isWanted = ({ from, action, call, answer }: WireExchange) =>
      (direction === 'all' || (direction === 'from') === (from === 'device')) &&
      (typed === '' || [action, call, answer ?? ''].some((text) => text.toLowerCase().includes(typed)));
    const messages: DeviceMessage[] = [];
    let last: StoredPage | undefined;
    for (const page of rows) {
      last = page;
      for (const [index, line] of page.lines.split('\n').toReversed().entries()) {
        const exchange = readLine(line);
        if (!isWanted(exchange)) continue;
        const { at, from, action, call, answer, answerMs } = exchange;
        messages.push({
          key: `${page.id}-${index}`,
          at: new Date(at).toISOString(),
          from,
          action,
          call,
          answer,
          answer_ms: answerMs,
        });
      }
      if (messages.length >= enough) break;
    }
    const isEnd = last === undefined || (last === rows.at(-1) && rows.length < pagesAtOnce);
    return {
      messages,
      next: isEnd || !last ? null : `${last.ended_at.getTime()}-${last.id}`,
      searched_until: last?.ended_at.toISOString() ?? null,
    };
  };
}

export type MessageSearch = ReturnType<typeof createMessageSearch>;
