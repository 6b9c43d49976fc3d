import { type HoldFilter, holdFilters, type StatusFilter, statusFilters } from '@fpay/contract/admin/filters';
import type { OperationSort } from '@fpay/contract/admin/sorts';
import { operationStatuses, type PaymentType } from '@fpay/contract/charging';
import { holdStatuses } from '@fpay/contract/payments';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { beyond, ordered } from '../sorts.ts';

export interface OperationFilter {
  station?: string | null | undefined;
  user?: string | null | undefined;
  status?: StatusFilter | null | undefined;
  hold?: HoldFilter | null | undefined;
  payment_type?: PaymentType | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  before?: number | null | undefined;
  /** What the sort compares in that row, as the caller saw it. */
  before_value?: number | null | undefined;
}

const paymentTypes: readonly PaymentType[] = ['bank', 'bonuses', 'free'];
/** What `hold_status` of an operation says when it has no payment. */
export const noPayment = 'none';

const newest: OperationSort = { key: 'id', isDescending: true };
const id = sql`o.id`;

/** The present value of an operation, and the column of the index over those that have ended. */
const sums = {
  total: { present: sql`o.total`, settled: sql`o.settled_total` },
  amount: { present: sql`o.deposit`, settled: sql`o.deposit` },
  energy: { present: sql`o.energy_wh`, settled: sql`o.settled_wh` },
} as const satisfies Record<Exclude<OperationSort['key'], 'id'>, Record<string, RawBuilder<unknown>>>;

/** Which operations a page of a list has: the filters, the sort and the row after which it begins. */
export function createOperationPages(db: Database) {
  /** Null: nothing can match, because the station or the user does not exist. */
  async function conditionsOf(filter: OperationFilter): Promise<RawBuilder<boolean> | null> {
    const parts: RawBuilder<boolean>[] = [];
    if (filter.station) {
      const row = await db.selectFrom('stations').select('id').where('number', '=', filter.station).executeTakeFirst();
      if (!row) return null;
      parts.push(sql`o.station_id = ${row.id}`);
    }
    if (filter.user) {
      const user = await userIdOf(db, filter.user);
      if (user === null) return null;
      parts.push(sql`o.user_id = ${user}`);
    }
    if (filter.from) parts.push(sql`o.created_at >= ${filter.from}::timestamptz`);
    if (filter.to) parts.push(sql`o.created_at < ${filter.to}::timestamptz`);
    return parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`;
  }

  const rowOf = (operation: number) =>
    db
      .selectFrom('operations as o')
      .select(['created_at', 'total', 'deposit as amount', 'energy_wh as energy'])
      .where('o.id', '=', operation)
      .executeTakeFirst();

  /** Where the page begins. Null: the row does not exist, so nothing follows it. */
  async function startOf({ before, before_value: value }: OperationFilter, { key }: OperationSort) {
    if (!before) return 'first' as const;
    const row = await rowOf(before);
    if (!row) return null;
    return { id: before, key: key === 'id' ? sql`${row.created_at}` : (value ?? row[key]) };
  }

  return {
    /** Ids in the order of the list. Who only counts them needs no order, so nothing is sorted. */
    async ids(
      filter: OperationFilter,
      limit: number,
      sort: OperationSort = newest,
      isOrdered = true,
    ): Promise<number[]> {
      const conditions = await conditionsOf(filter);
      const start = await startOf(filter, sort);
      if (!conditions || !start) return [];
      const facets = facetsOf(filter);
      const isNarrow = Boolean(filter.station ?? filter.user);
      /** One part of the list, in its order. */
      const part = (key: RawBuilder<unknown>, where: RawBuilder<unknown>) => {
        const after = start === 'first' ? sql`true` : beyond(key, id, start, sort.isDescending);
        const order = isOrdered ? ordered(key, id, sort.isDescending) : sql``;
        return sql`select o.id, ${key} as key from operations o
          where ${where} and ${conditions} and ${after} ${order} limit ${limit}`;
      };
      const parts =
        sort.key === 'id' ? byCreation(facets, isNarrow, part) : bySum(sums[sort.key], facets, isNarrow, part);
      const { rows } = await sql<{ id: number }>`select found.id from (${parts}) found
        ${isOrdered ? ordered(sql`found.key`, sql`found.id`, sort.isDescending) : sql``} limit ${limit}`.execute(db);
      return rows.map((row) => row.id);
    },
  };
}

type Part = (key: RawBuilder<unknown>, where: RawBuilder<unknown>) => RawBuilder<unknown>;

function byCreation(facets: Facets, isNarrow: boolean, part: Part): RawBuilder<unknown> {
  const created = sql`o.created_at`;
  if (!facets.isFiltered) return part(created, sql`true`);
  return isNarrow ? part(created, facets.anyOf) : eachCombination(facets, part(created, facets.equal));
}

/** Few charges are open, so they are read and sorted; those that have ended are in the order of an index. */
function bySum(sum: (typeof sums)[keyof typeof sums], facets: Facets, isNarrow: boolean, part: Part) {
  if (isNarrow) return part(sum.present, facets.anyOf);
  const settled = part(sum.settled, sql`o.closed_at is not null and ${facets.equal}`);
  const open = part(sum.present, sql`o.closed_at is null and ${facets.anyOf}`);
  return sql`(${eachCombination(facets, settled)}) union all (${open})`;
}

type Facets = ReturnType<typeof facetsOf>;

function facetsOf(filter: OperationFilter) {
  const statuses: readonly string[] = filter.status ? statusFilters[filter.status] : operationStatuses;
  const holds: readonly string[] = filter.hold ? holdFilters[filter.hold] : [...holdStatuses, noPayment];
  const types = filter.payment_type ? [filter.payment_type] : paymentTypes;
  return {
    isFiltered: Boolean(filter.status ?? filter.hold ?? filter.payment_type),
    combinations: sql`unnest(${statuses}::text[]) as s cross join unnest(${holds}::text[]) as h
      cross join unnest(${types}::text[]) as t`,
    equal: sql`o.status = s and o.hold_status = h and o.payment_type = t`,
    anyOf: sql`o.status = any (${statuses}) and o.hold_status = any (${holds}) and o.payment_type = any (${types})`,
  };
}

/** Each combination is one range of the index, read from one end: a combination that matches nothing costs one look. */
const eachCombination = ({ combinations }: Facets, part: RawBuilder<unknown>) =>
  sql`select one.id, one.key from ${combinations} cross join lateral (${part}) as one`;

/** Staff type an id, a phone number, or a phone number without its plus. No id is as long as a phone number. */
export async function userIdOf(db: Database, text: string): Promise<number | null> {
  const digits = text.replace(/^\+/, '');
  if (!text.startsWith('+')) {
    const row = await db.selectFrom('users').select('id').where('id', '=', Number(digits)).executeTakeFirst();
    if (row) return row.id;
  }
  const row = await db.selectFrom('users').select('id').where('phone_number', '=', `+${digits}`).executeTakeFirst();
  return row?.id ?? null;
}
