import { isOpen, type OperationStatus, unbilledStatuses } from '@fpay/contract/charging';
import type { anomalyCodes, counterCodes } from '@fpay/contract/health';
import { kopecks, wattHours } from '@fpay/contract/money';
import { type HoldStatus, knownHoldStatus } from '@fpay/contract/payments';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

export interface HealthLimits {
  /** A charge with more energy than this is listed for staff to check. */
  suspiciousWh: number;
  /** Operations that just ended are still being settled, so only older ones are findings. */
  settledMinutes: number;
}

interface Dependencies extends HealthLimits {
  db: Database;
  clock: Clock;
}

/** An invoice lives for a quarter of an hour; a `created` operation older than that is stuck. */
const createdMinutes = 15;
const shownDays = 7;
/** Anomalies are kept for 90 days, as notices are. */
const keptDays = 90;
const unbilled = unbilledStatuses.map((status) => `'${status}'`).join(', ');

interface Row {
  id: number;
  status: OperationStatus;
  total: number;
  energy_wh: number;
  created_at: Date;
  payment_id: number | null;
  payment_status: string | null;
  amount: number | null;
  captured: number | null;
}

/** Findings for staff: read models over operations and payments; nothing is stored for them. */
export function createHealth({ db, clock, suspiciousWh, settledMinutes }: Dependencies) {
  async function rowsWhere<Code extends string>(
    cases: Record<Code, string>,
    since: 'open' | 'closed',
  ): Promise<(Row & { code: Code })[]> {
    const now = clock.now();
    const all = sql.raw(
      Object.entries<string>(cases)
        .map(([code, condition]) => `when ${condition} then '${code}'`)
        .join(' '),
    );
    const settled = sql`${now}::timestamptz - ${settledMinutes} * interval '1 minute'`;
    const closed = sql`o.closed_at < ${settled} and o.closed_at > ${now}::timestamptz - ${keptDays} * interval '1 day'`;
    const age = since === 'closed' ? closed : sql`(${closed} or (o.closed_at is null and o.status_at < ${settled}))`;
    const { rows } = await sql<Row & { code: Code }>`
      select * from (
        select o.id, o.status, o.total, o.energy_wh, o.created_at, p.id as payment_id, p.status as payment_status,
          p.amount, p.captured - p.refunded as captured,
          case ${all} end as code
        from operations o left join payments p on p.operation_id = o.id,
          lateral (select ${now}::timestamptz as now, ${suspiciousWh}::bigint as suspicious_wh) given
        where ${age}) found
      where code is not null order by id desc limit 1000`.execute(db);
    return rows;
  }

  return {
    async anomalies() {
      const rows = await rowsWhere<(typeof anomalyCodes)[number]>(
        {
          'e-sma-01': `o.status = 'created' and o.created_at < given.now - interval '${createdMinutes} minutes'`,
          'e-sma-02': `p.status in ('failure', 'failed', 'expired') and o.status not in (${unbilled})`,
          'e-sma-03': `p.status = 'success' and o.status <> 'finished'`,
          'e-sma-04': `p.status = 'reversed' and o.status not in (${unbilled}) and o.lost < o.total`,
        },
        'open',
      );
      return rows.map((row) => ({
        operation_id: row.id,
        payment_id: row.payment_id,
        ...statuses(row),
        code: row.code,
      }));
    },

    async counters() {
      const rows = await rowsWhere<(typeof counterCodes)[number]>(
        {
          'e-scv-01': `p.status = 'success' and o.total = 0`,
          'e-scv-02': `o.total > 0 and o.payment_type <> 'free' and p.status is distinct from 'success' and o.lost < o.total`,
          'e-scv-03': `p.captured - p.refunded > p.amount`,
          'e-scv-04': `p.captured - p.refunded > o.total`,
          'e-scv-05': `o.energy_wh > given.suspicious_wh`,
        },
        'closed',
      );
      return rows.map((row) => ({
        operation_id: row.id,
        payment_id: row.payment_id,
        payment_amount: row.amount === null ? null : kopecks(row.amount),
        payment_total: row.captured === null ? null : kopecks(Math.max(0, row.captured)),
        operation_total: kopecks(row.total),
        energy: wattHours(row.energy_wh),
        ...statuses(row),
        code: row.code,
        created_at: row.created_at.toISOString(),
      }));
    },

    async terminations() {
      const since = new Date(clock.now().getTime() - shownDays * 24 * 60 * 60_000);
      const rows = await db
        .selectFrom('terminations as t')
        .innerJoin('operations as o', 'o.id', 't.operation_id')
        .select(['o.id', 'o.status', 'o.total', 'o.deposit', 't.type', 'o.started_at', 'o.finished_at'])
        .where('t.noticed_at', '>', since)
        .orderBy('o.id', 'desc')
        .orderBy('t.id', 'desc')
        .limit(1000)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        total: kopecks(row.total),
        amount: kopecks(row.deposit),
        type: row.type,
        is_pending: isOpen(row.status),
        started_at: row.started_at?.toISOString() ?? null,
        finished_at: row.finished_at?.toISOString() ?? null,
      }));
    },
  };
}

export type Health = ReturnType<typeof createHealth>;

function statuses(row: Row): { operation_status: OperationStatus; payment_status: HoldStatus | null } {
  return {
    operation_status: row.status,
    payment_status: row.payment_status === null ? null : knownHoldStatus(row.payment_status),
  };
}
