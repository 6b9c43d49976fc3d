import {
  type CaseItem,
  type CaseQueueView,
  type CaseSource,
  type CaseState,
  casePageSize,
  mostCasesCounted,
} from '@fpay/contract/admin/cases';
import type { CaseSort } from '@fpay/contract/admin/sorts';
import { can, roles } from '@fpay/contract/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { kyivZone } from '../../platform/kyiv-time.ts';
import { rangeOfPeriod } from '../../platform/period-range.ts';
import { ordered } from '../sorts.ts';

export interface CaseFilter {
  view?: CaseQueueView | undefined;
  source?: CaseSource | undefined;
  user?: number | undefined;
  operation?: number | undefined;
  q?: string | undefined;
}

export interface CaseListRow {
  id: number;
  source: CaseSource;
  state: CaseState;
  subject: string | null;
  rating: number | null;
  anomaly: string | null;
  user_id: number;
  user_name: string;
  phone_number: string;
  operation_id: number | null;
  station: string | null;
  owner_id: number | null;
  owner_name: string | null;
  opened_at: Date;
  changed_at: Date;
  waiting_since: Date | null;
  snoozed_until: Date | null;
  first_answer_at: Date | null;
}

/** Cases with the names of their people and the number of their station. */
export const caseRows = (found: RawBuilder<unknown>) => sql<CaseListRow>`
  select c.id, c.source, c.state, c.subject, c.rating, c.anomaly, c.user_id, u.name as user_name, u.phone_number, c.operation_id,
    s.number as station, c.owner_id, w.name as owner_name, c.opened_at, c.changed_at, c.waiting_since, c.snoozed_until,
    c.first_answer_at
  from ${found} c join users u on u.id = c.user_id left join stations s on s.id = c.station_id
    left join users w on w.id = c.owner_id`;

export function caseItemOf(row: CaseListRow): CaseItem {
  return {
    id: row.id,
    source: row.source,
    state: row.state,
    subject: row.subject,
    rating: row.rating,
    anomaly: row.anomaly,
    user: { id: row.user_id, name: row.user_name, phone_number: row.phone_number },
    charging_operation_id: row.operation_id,
    charging_station: row.station,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name ?? '' },
    opened_at: row.opened_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    first_answer_at: row.first_answer_at?.toISOString() ?? null,
  };
}

const conditionOfView = (view: CaseQueueView, reader: number): RawBuilder<boolean> => {
  switch (view) {
    case 'mine':
      return sql`c.owner_id = ${reader} and c.state in ('open', 'waiting')`;
    case 'new':
      return sql`c.state = 'open' and c.owner_id is null`;
    case 'open':
      return sql`c.state in ('open', 'waiting', 'snoozed')`;
    default:
      return sql`c.state = ${view}`;
  }
};

/** Only the beginning of a name is searched for, so that its index is used. */
const startsWith = (text: string) => `${text.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
const mostPeople = 50;

/** A number of a case or a charge, a station, a phone number, or the beginning of a name. */
function conditionOfSearch(typed: string): RawBuilder<boolean> {
  const text = typed.trim();
  if (/^f\d{1,8}$/i.test(text))
    return sql`c.station_id in (select id from stations where number = ${text.toUpperCase()})`;
  const digits = text.replace(/[\s()+-]/g, '');
  const id = Number(digits);
  const people = sql`select id from users where ${
    /^\d{1,15}$/.test(digits) ? sql`phone_number = ${`+${digits}`}` : sql`lower(name) like ${startsWith(text)}`
  } limit ${mostPeople}`;
  const isId = /^\d{1,15}$/.test(digits) && !text.startsWith('+');
  return sql`(c.user_id in (${people}) ${isId ? sql`or c.id = ${id} or c.operation_id = ${id}` : sql``})`;
}

/** The queue of cases, page by page, and its counts. */
export function createCaseList(db: Database, clock: Clock) {
  function conditionOf({ view, source, user, operation, q }: CaseFilter, reader: number): RawBuilder<boolean> {
    const parts: RawBuilder<boolean>[] = [sql`true`];
    if (view) parts.push(conditionOfView(view, reader));
    if (source) parts.push(sql`c.source = ${source}`);
    if (user) parts.push(sql`c.user_id = ${user}`);
    if (operation) parts.push(sql`c.operation_id = ${operation}`);
    if (q?.trim()) parts.push(conditionOfSearch(q));
    return sql<boolean>`${sql.join(parts, sql` and `)}`;
  }

  const orderOf = ({ key, isDescending }: CaseSort) =>
    key === 'id'
      ? sql`order by c.id ${isDescending ? sql`desc` : sql``}`
      : ordered(sql`c.changed_at`, sql`c.id`, isDescending);

  return {
    async page(filter: CaseFilter, reader: number, page: number, sort: CaseSort) {
      const where = conditionOf(filter, reader);
      const order = orderOf(sort);
      const found = sql`(select * from cases c where ${where} ${order}
        offset ${(page - 1) * casePageSize} limit ${casePageSize})`;
      const [{ rows }, counted] = await Promise.all([
        sql<CaseListRow>`${caseRows(found)} ${order}`.execute(db),
        sql<{ count: number }>`select count(*)::int as count from (
          select from cases c where ${where} limit ${mostCasesCounted}) counted`.execute(db),
      ]);
      const count = counted.rows[0]?.count ?? 0;
      return { data: rows.map(caseItemOf), page_count: Math.ceil(count / casePageSize), total_count: count };
    },

    async counts(reader: number) {
      const { from } = rangeOfPeriod('today', clock.now(), kyivZone);
      const { rows } = await sql<{
        mine: number;
        new: number;
        waiting: number;
        snoozed: number;
        open: number;
        unanswered: number;
        first_answer_seconds: number | null;
      }>`
        select count(*) filter (where owner_id = ${reader} and state in ('open', 'waiting'))::int as mine,
          count(*) filter (where state = 'open' and owner_id is null)::int as new,
          count(*) filter (where state = 'waiting')::int as waiting,
          count(*) filter (where state = 'snoozed')::int as snoozed,
          count(*)::int as open,
          count(*) filter (where state = 'open' and waiting_since is not null)::int as unanswered,
          (select round(extract(epoch from avg(first_answer_at - opened_at)))::int from cases
            where first_answer_at >= ${from}) as first_answer_seconds
        from cases where state in ('open', 'waiting', 'snoozed')`.execute(db);
      const [counts] = rows;
      if (!counts) throw new Error('an aggregate returned no row');
      return counts;
    },

    /** For the navigation. */
    async unanswered(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from cases where waiting_since is not null and state = 'open'`.execute(db);
      return rows[0]?.count ?? 0;
    },

    async staff() {
      const able = roles.filter((role) => can(role, 'contact-users'));
      return db
        .selectFrom('users')
        .select(['id', 'name'])
        .where('role', 'in', able)
        .where('deleted_at', 'is', null)
        .orderBy('name')
        .execute();
    },
  };
}

export type CaseList = ReturnType<typeof createCaseList>;
