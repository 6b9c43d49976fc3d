import type { Today } from '@fpay/contract/admin/stats';
import { can, type Role } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { Approvals, KindOfApproval } from '../platform/approvals.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { rangeOfPeriod } from '../platform/period-range.ts';
import { overallStats } from './stats/figures.ts';
import type { Health } from './watch/health.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  health: Health;
  moneyWaiting: () => Promise<number>;
  casesWaiting: () => Promise<number>;
  approvals: Pick<Approvals, 'kindsOf'>;
}

const weekMs = 7 * 24 * 3_600_000;

/** The first look of the day. Figures that a role may not see are null. */
export function createToday({ db, clock, health, moneyWaiting, casesWaiting, approvals }: Dependencies) {
  async function figures(zone: string) {
    const now = clock.now();
    const { from } = rangeOfPeriod('today', now, zone);
    const scope = { station: null, withTemporary: true };
    const before = { from: new Date(from.getTime() - weekMs), to: new Date(now.getTime() - weekMs) };
    return Promise.all([overallStats(db, { ...scope, from, to: now }), overallStats(db, { ...scope, ...before })]);
  }

  async function count(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
    return (await query.execute(db)).rows[0]?.count ?? 0;
  }

  const running = () =>
    count(sql`select count(*)::int as count from operations where status in ('ongoing', 'finishing')`);
  const offline = () =>
    count(sql`select count(distinct c.station_id)::int as count from connectors c
      join charge_points p on p.id = c.charge_point_id where not p.is_online`);
  const waitingApprovals = (kinds: readonly KindOfApproval[]) =>
    count(sql`select count(*)::int as count from staff_approvals where outcome is null and kind = any (${kinds})`);

  async function attention(role: Role): Promise<NonNullable<Today['attention']>> {
    const [anomalies, counters, terminations] = await Promise.all([
      health.anomalies(),
      health.counters(),
      health.terminations(),
    ]);
    const kinds = approvals.kindsOf(role);
    return {
      anomalies: anomalies.length,
      counters: counters.length,
      terminator: terminations.filter(({ is_pending }) => is_pending).length,
      money: can(role, 'manipulate-payments') ? await moneyWaiting() : null,
      approvals: kinds.length > 0 ? await waitingApprovals(kinds) : null,
      cases: can(role, 'monitor-users') ? await casesWaiting() : null,
      offline_stations: await offline(),
    };
  }

  const success = ({ count: counted }: { count: { successful: number; failed: number } }) => {
    const starts = counted.successful + counted.failed;
    return starts === 0 ? null : Math.round((counted.successful / starts) * 1000) / 10;
  };

  return async (role: Role, zone: string): Promise<Today> => {
    const seesStats = can(role, 'see-stats');
    const monitors = can(role, 'monitor-operations');
    const [today, weekAgo] = seesStats ? await figures(zone) : [null, null];
    return {
      at: clock.now().toISOString(),
      energy: today && { now: today.kwh, week_ago: weekAgo.kwh },
      money: today && { now: today.uah.total, week_ago: weekAgo.uah.total },
      net: today && { now: today.uah.net, week_ago: weekAgo.uah.net },
      success: today && { now: success(today), week_ago: success(weekAgo) },
      running: monitors ? { now: await running(), week_ago: null } : null,
      attention: monitors ? await attention(role) : null,
    };
  };
}
