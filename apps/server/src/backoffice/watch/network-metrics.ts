import { openStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Metrics } from '../../platform/watching/metrics.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  metrics: Metrics;
}

interface Figures {
  open: Record<string, number>;
  attempts: Record<string, number>;
  startSeconds: Record<string, number>;
  settlementAge: number;
  holdsEnding: number;
  debts: number;
  debtHryvnias: number;
  dueAge: Record<string, number>;
  offline: number;
}

/** Several scrapes within this time share one reading. */
const keepMs = 10_000;
/** The bank keeps a hold for 9 days. */
const holdWarningDays = 7;

/**
 * The figures of the whole network that an operator watches. They are read from the database, so every node reports the
 * same values and a restart loses none of them.
 */
export function networkMetrics({ db, clock, metrics }: Dependencies): void {
  let reading: { at: number; figures: Promise<Figures> } | null = null;
  const figures = (): Promise<Figures> => {
    const now = clock.now();
    if (!reading || now.getTime() - reading.at > keepMs) reading = { at: now.getTime(), figures: readFigures(db, now) };
    return reading.figures;
  };
  const gauge = (name: string, help: string, pick: (found: Figures) => number) =>
    metrics.gauge(name, help, async () => pick(await figures()));
  const gauges = (name: string, help: string, label: string, pick: (found: Figures) => Record<string, number>) =>
    metrics.gauges({ name, help, label, read: async () => pick(await figures()) });

  gauges('fpay_operations_open', 'Operations that have not ended, by status', 'status', ({ open }) => open);
  gauges(
    'fpay_charging_attempts_last_hour',
    'Operations created within the last hour that reached a result: started or failed',
    'result',
    ({ attempts }) => attempts,
  );
  gauges(
    'fpay_start_latency_seconds',
    'From the first start command to flowing power, of charges started within the last hour',
    'quantile',
    ({ startSeconds }) => startSeconds,
  );
  gauge(
    'fpay_settlement_oldest_seconds',
    'Age of the oldest charge that has ended and is not settled',
    ({ settlementAge }) => settlementAge,
  );
  gauge('fpay_holds_near_expiry', 'Card holds that the bank will soon release', ({ holdsEnding }) => holdsEnding);
  gauge('fpay_debts', 'Operations whose money could not be collected yet', ({ debts }) => debts);
  gauge('fpay_debts_hryvnias', 'Sum of the debts', ({ debtHryvnias }) => debtHryvnias);
  gauges(
    'fpay_due_work_oldest_seconds',
    'How long the oldest due row of a table has been waiting',
    'table',
    ({ dueAge }) => dueAge,
  );
  gauge('fpay_charge_points_offline', 'Charge points of the network without a connection', ({ offline }) => offline);
}

async function readFigures(db: Database, now: Date): Promise<Figures> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const [open, attempts, latency, waiting, holds, debts, due, offline] = await Promise.all([
    sql<{ status: string; count: number }>`
      select status, count(*)::int as count from operations where status = any (${[...openStatuses]}) group by status`.execute(
      db,
    ),
    sql<{ started: number; failed: number }>`
      select count(*) filter (where started_at is not null)::int as started,
        count(*) filter (where started_at is null and status = 'failed')::int as failed
      from operations where created_at > ${hourAgo}`.execute(db),
    sql<{ half: number | null; most: number | null }>`
      select percentile_cont(0.5) within group (order by seconds) as half,
        percentile_cont(0.95) within group (order by seconds) as most
      from (select greatest(0, extract(epoch from started_at - start_sent_at))::float8 as seconds from operations
        where created_at > ${hourAgo} and started_at is not null and start_sent_at is not null) started`.execute(db),
    sql<{ at: Date | null }>`
      select min(coalesce(finished_at, status_at)) as at from operations
      where status in ('finishing', 'pending_final_payment') and charge_ended_at is null`.execute(db),
    sql<{ count: number }>`
      select count(*)::int as count from payments where status = 'hold' and method = 'bank'
        and held_at < ${now}::timestamptz - ${holdWarningDays} * interval '1 day'`.execute(db),
    sql<{ count: number; sum: number }>`
      select count(*)::int as count, coalesce(sum(total), 0)::float8 as sum
      from operations where status = 'pending_final_payment'`.execute(db),
    sql<{ table: string; at: Date | null }>`
      select 'operations' as table, min(next_action_at) as at from operations where next_action_at < ${now}
      union all
      select 'payments', min(next_action_at) from payments where next_action_at < ${now}`.execute(db),
    sql<{ count: number }>`select count(*)::int as count from charge_points where not is_online`.execute(db),
  ]);
  const age = (at: Date | null | undefined) => (at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0);
  const [half, most] = [latency.rows[0]?.half, latency.rows[0]?.most];
  return {
    open: Object.fromEntries(openStatuses.map((status) => [status, countOf(open.rows, status)])),
    attempts: { started: attempts.rows[0]?.started ?? 0, failed: attempts.rows[0]?.failed ?? 0 },
    startSeconds: {
      ...(typeof half === 'number' && { '0.5': half }),
      ...(typeof most === 'number' && { '0.95': most }),
    },
    settlementAge: age(waiting.rows[0]?.at),
    holdsEnding: holds.rows[0]?.count ?? 0,
    debts: debts.rows[0]?.count ?? 0,
    debtHryvnias: (debts.rows[0]?.sum ?? 0) / 100,
    dueAge: Object.fromEntries(due.rows.map(({ table, at }) => [table, age(at)])),
    offline: offline.rows[0]?.count ?? 0,
  };
}

const countOf = (rows: readonly { status: string; count: number }[], status: string) =>
  rows.find((row) => row.status === status)?.count ?? 0;
