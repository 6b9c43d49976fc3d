import type { MoneyCase, MoneyKind, MoneyOverview } from '@fpay/contract/admin/money';
import { moneyKinds } from '@fpay/contract/admin/money';
import { kopecks } from '@fpay/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
}

interface Row {
  id: number;
  code: string | null;
  operation_id: number | null;
  payment_id: number | null;
  user_id: number | null;
  amount: number | null;
  at: Date;
  until: Date | null;
  details: Record<string, unknown> | null;
}

/** The bank keeps a hold for 9 days. Two days before that is time enough to act. */
const holdDays = 9;
const warnDays = 2;

/** Which anomalies of payments belong to which kind; the others are differences. */
const anomalyKinds = {
  chargeback: ['chargeback', 'top_up_chargeback'],
  refund_refused: ['refund_refused'],
  ledger_fault: ['ledger_fault', 'audit_fault'],
  difference: [
    'orphan_hold',
    'orphan_payment',
    'missing_capture',
    'not_in_statement',
    'amount_mismatch',
    'clearing_mismatch',
    'hold_ending',
  ],
} as const satisfies Partial<Record<MoneyKind, readonly string[]>>;

const isAnomaly = (kind: MoneyKind): kind is keyof typeof anomalyKinds => kind in anomalyKinds;

/** What waits for somebody who knows about money: each kind is one query over rows that already exist. */
export function createMoneyCases({ db, clock }: Dependencies) {
  const anomalies = (kinds: readonly string[]) => sql`
    select a.id, a.kind as code, p.operation_id, a.payment_id, p.user_id,
      case when jsonb_typeof(a.details -> 'amount') = 'number' then (a.details ->> 'amount')::bigint else p.amount end as amount,
      a.found_at as at, null::timestamptz as until, a.details
    from money_anomalies a left join payments p on p.id = a.payment_id
    where a.resolved_at is null and a.kind = any (${kinds})`;

  function queryOf(kind: MoneyKind): RawBuilder<unknown> {
    if (isAnomaly(kind)) return anomalies(anomalyKinds[kind]);
    const payment = sql`p.operation_id, p.id as payment_id, p.user_id`;
    const none = sql`null::jsonb as details`;
    const queries: Record<Exclude<MoneyKind, keyof typeof anomalyKinds>, RawBuilder<unknown>> = {
      hold_ending: sql`
        select p.id, null as code, ${payment}, p.amount, p.held_at as at,
          p.held_at + ${holdDays} * interval '1 day' as until, ${none}
        from payments p where p.status = 'hold' and p.method = 'bank'
          and p.held_at < ${clock.now()}::timestamptz - ${holdDays - warnDays} * interval '1 day'`,
      debt: sql`
        select o.id, p.hold_status as code, o.id as operation_id, p.id as payment_id, o.user_id, o.total as amount,
          coalesce(o.finished_at, o.created_at) as at, p.held_at + ${holdDays} * interval '1 day' as until, ${none}
        from operations o left join payments p on p.operation_id = o.id where o.status = 'pending_final_payment'`,
      lost: sql`
        select o.id, o.hold_status as code, o.id as operation_id, p.id as payment_id, o.user_id, o.lost as amount,
          coalesce(o.closed_at, o.created_at) as at, null::timestamptz as until, ${none}
        from operations o left join payments p on p.operation_id = o.id where o.lost > 0`,
      overridden: sql`
        select p.id, p.status as code, ${payment}, p.amount, coalesce(p.closed_at, p.created_at) as at,
          null::timestamptz as until, ${none}
        from payments p where p.is_overridden`,
      shared_wallet: sql`
        select w.id, null as code, null::bigint as operation_id, null::bigint as payment_id, w.owner_id as user_id,
          a.balance as amount, u.created_at as at, null::timestamptz as until,
          jsonb_build_object('users', (select count(*) from users m where m.wallet_id = w.id)) as details
        from wallets w join accounts a on a.id = w.id join users u on u.id = w.owner_id where w.is_shared`,
      reward: sql`
        select m.id, null as code, null::bigint as operation_id, null::bigint as payment_id, m.user_id, m.amount,
          m.created_at as at, null::timestamptz as until, jsonb_build_object('promotion', m.subject_id) as details
        from staff_money_out m where m.is_above_limit`,
    };
    return queries[kind];
  }

  async function overviewOf(kind: MoneyKind) {
    const { rows } = await sql<{ count: number; sum: number }>`
      select count(*)::int as count, coalesce(sum(amount), 0)::float8 as sum from (${queryOf(kind)}) found`.execute(db);
    return { kind, count: rows[0]?.count ?? 0, sum: kopecks(Math.max(0, rows[0]?.sum ?? 0)) };
  }

  return {
    async overview(): Promise<MoneyOverview> {
      const last = await db
        .selectFrom('ledger_checks')
        .select(['checked_at', sql<number>`jsonb_array_length(faults)`.as('faults')])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return {
        kinds: await Promise.all(moneyKinds.map(overviewOf)),
        ledger: last ? { checked_at: last.checked_at.toISOString(), faults: last.faults } : null,
      };
    },

    async list(kind: MoneyKind, page: { before?: number | undefined; limit: number }): Promise<MoneyCase[]> {
      const { rows } = await sql<Row>`
        select * from (${queryOf(kind)}) found where id < ${page.before ?? Number.MAX_SAFE_INTEGER}
        order by id desc limit ${page.limit}`.execute(db);
      return rows.map((row) => ({
        id: row.id,
        kind,
        code: row.code,
        operation_id: row.operation_id,
        payment_id: row.payment_id,
        user_id: row.user_id,
        amount: kopecks(Math.max(0, Number(row.amount ?? 0))),
        at: row.at.toISOString(),
        until: row.until?.toISOString() ?? null,
        details: row.details ?? {},
        is_resolvable: isAnomaly(kind),
      }));
    },

    /** How many cases want somebody's attention; losses and shared wallets are facts and do not. */
    async waiting(): Promise<number> {
      const kinds: MoneyKind[] = ['difference', 'hold_ending', 'chargeback', 'refund_refused', 'ledger_fault'];
      const counts = await Promise.all(kinds.map(overviewOf));
      return counts.reduce((sum, { count }) => sum + count, 0);
    },
  };
}

export type MoneyCases = ReturnType<typeof createMoneyCases>;
