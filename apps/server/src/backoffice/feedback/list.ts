import {
  type AdminFeedback,
  feedbackPageSize,
  mostFeedbackCounted,
  type StationRating,
} from '@fpay/contract/admin/feedback';
import type { FeedbackSort } from '@fpay/contract/admin/sorts';
import type { OperationStatus, PaymentType } from '@fpay/contract/charging';
import type { ConnectorType } from '@fpay/contract/connectors';
import { kopecks } from '@fpay/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import type { PeriodRange } from '../../platform/period-range.ts';
import { Refusal } from '../../platform/refusal.ts';
import { userIdOf } from '../operations/pages.ts';
import { stationIdOf } from '../station-id.ts';

export interface FeedbackFilter {
  from: number;
  to: number;
  withCommentsOnly: boolean;
  station?: string | null | undefined;
  user?: string | null | undefined;
}

interface Row {
  id: number;
  payment_type: PaymentType;
  type: ConnectorType;
  connector_id: number;
  number: string;
  phone_number: string;
  name: string;
  user_id: number;
  total: number;
  source: 'app' | 'rfid';
  status: OperationStatus;
  finished_at: Date | null;
  created_at: Date;
  operation_id: number;
  comment: string | null;
  rating: number;
}

const newest: FeedbackSort = { key: 'id', isDescending: true };

/** Of equal ratings the newest is first in both directions, because staff look at what is new. */
function orderOf({ key, isDescending }: FeedbackSort): RawBuilder<unknown> {
  if (key === 'id') return isDescending ? sql`order by f.id desc` : sql`order by f.id`;
  return isDescending ? sql`order by f.rating desc, f.id desc` : sql`order by f.rating, f.id desc`;
}

/** What drivers said, page by page, and the ratings of one station. */
export function createFeedbackList(db: Database) {
  /** Null: the station or the user does not exist, so nothing matches. */
  async function conditionOf(filter: FeedbackFilter): Promise<RawBuilder<boolean> | null> {
    const parts: RawBuilder<boolean>[] = [];
    if (filter.from > 1 || filter.to < 5) parts.push(sql`f.rating between ${filter.from} and ${filter.to}`);
    if (filter.withCommentsOnly) parts.push(sql`f.comment is not null`);
    if (filter.station) {
      const station = await stationIdOf(db, filter.station);
      if (station === null) return null;
      parts.push(sql`f.station_id = ${station}`);
    }
    if (filter.user) {
      const user = await userIdOf(db, filter.user);
      if (user === null) return null;
      parts.push(sql`f.user_id = ${user}`);
    }
    return parts.length > 0 ? sql<boolean>`${sql.join(parts, sql` and `)}` : sql<boolean>`true`;
  }

  async function rowsOf(
    where: RawBuilder<boolean>,
    page: RawBuilder<unknown>,
    sort: FeedbackSort = newest,
  ): Promise<AdminFeedback[]> {
    const order = orderOf(sort);
    const { rows } = await sql<Row>`
      select f.id, o.payment_type, c.type, o.connector_id, s.number, u.phone_number, u.name, f.user_id, o.total, o.source,
        o.status, o.finished_at, f.created_at, f.operation_id, f.comment, f.rating
      from (select * from feedback f where ${where} ${order} ${page}) f
        join operations o on o.id = f.operation_id join users u on u.id = f.user_id
        join stations s on s.id = o.station_id join connectors c on c.id = o.connector_id
      ${order}`.execute(db);
    return rows.map(entryOf);
  }

  return {
    async page(filter: FeedbackFilter, page: number, sort: FeedbackSort) {
      const where = await conditionOf(filter);
      if (where === null) return { data: [], page_count: 0, total_count: 0 };
      const offset = (page - 1) * feedbackPageSize;
      const [data, counted] = await Promise.all([
        rowsOf(where, sql`offset ${offset} limit ${feedbackPageSize}`, sort),
        sql<{ count: number }>`select count(*)::int as count from (
          select from feedback f where ${where} limit ${mostFeedbackCounted}) counted`.execute(db),
      ]);
      const count = counted.rows[0]?.count ?? 0;
      return { data, page_count: Math.ceil(count / feedbackPageSize), total_count: count };
    },

    /** Entries before this id, for an export that reads on and on. */
    async before(filter: FeedbackFilter, id: number, limit: number): Promise<AdminFeedback[]> {
      const where = await conditionOf(filter);
      return where === null ? [] : rowsOf(sql`${where} and f.id < ${id}`, sql`limit ${limit}`);
    },

    async rating(number: string, { from, to }: PeriodRange): Promise<StationRating> {
      const station = await stationIdOf(db, number);
      if (station === null) throw new Refusal('station_not_found');
      const { rows } = await sql<{ rating: number; count: number }>`
        select f.rating, count(*)::int as count from feedback f
        where f.station_id = ${station} and f.created_at >= ${from} and f.created_at < ${to}
        group by f.rating`.execute(db);
      const of = (rating: number) => rows.find((row) => row.rating === rating)?.count ?? 0;
      const total = rows.reduce((sum, { count }) => sum + count, 0);
      const stars = rows.reduce((sum, { rating, count }) => sum + rating * count, 0);
      return {
        average_rating: total === 0 ? null : Math.round((stars / total) * 100) / 100,
        total_count: total,
        one_star: of(1),
        two_stars: of(2),
        three_stars: of(3),
        four_stars: of(4),
        five_stars: of(5),
      };
    },
  };
}

export type FeedbackList = ReturnType<typeof createFeedbackList>;

function entryOf(row: Row): AdminFeedback {
  return {
    id: row.id,
    payment_type: row.payment_type,
    connector_type: row.type,
    connector_id: row.connector_id,
    charging_station: row.number,
    user_phone_number: row.phone_number,
    user_name: row.name,
    user_id: row.user_id,
    total: kopecks(row.total),
    source: row.source,
    status: row.status,
    finished_at: row.finished_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    charging_operation_id: row.operation_id,
    comment: row.comment,
    rating: row.rating,
  };
}
