import {
  type AttemptCounts,
  type AttemptReason,
  attemptReasons,
  type NetworkOverview,
  type NetworkProblem,
} from '@fpay/contract/admin/network/overview';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { kyivDate, kyivDayStart, kyivZone } from '../../platform/kyiv-time.ts';
import { attemptReason } from './attempt-reason.ts';
import { attemptCounts, attempts, type ChargingAttempt } from './attempts.ts';

const dayMs = 24 * 3_600_000;
const days = 14;
const mostProblems = 500;
const mostHealthy = 2_000;
/** A reason opens its operations; a list of more is made with the filters of the operations. */
const mostOperations = 50;
/** So many failed starts in a row at one connector are a problem of the connector, not of a driver. */
const failingFrom = 3;

/** What does not work now, and how charges began lately. */
export function createNetworkOverview(db: Database, clock: Clock) {
  const problems = async (): Promise<NetworkProblem[]> => {
    const { rows } = await sql<Omit<NetworkProblem, 'since'> & { since: Date | null }>`
      with place as (
        select distinct on (c.charge_point_id) c.charge_point_id, s.number, s.lat, s.lon
        from connectors c join stations s on s.id = c.station_id order by c.charge_point_id, c.id
      ), found as (
        select 'offline' as kind, p.id as charge_point, null::int as connector, null::text as error_code,
          null::bigint as operation, p.online_changed_at as since
        from charge_points p where not p.is_online and p.online_changed_at is not null
        union all
        select 'faulted', p.id, c.ocpp_connector, c.error_code, null, c.status_at
        from connectors c join charge_points p on p.id = c.charge_point_id
        where p.is_online and c.ocpp_status = 'Faulted'
        union all
        select 'faulted', p.id, null, p.error_code, null, p.status_at
        from charge_points p where p.is_online and p.ocpp_status = 'Faulted'
        union all
        select 'stuck', c.charge_point_id, c.ocpp_connector, k.ocpp_status, null, k.since
        from stuck_connectors k join connectors c on c.id = k.connector_id
          join charge_points p on p.id = c.charge_point_id
        where k.recovered_at is null and p.is_online and c.ocpp_status is distinct from 'Faulted'
        union all
        select 'stuck', o.charge_point_id, c.ocpp_connector, null, o.id, o.stop_ignored_at
        from operations o join connectors c on c.id = o.connector_id
        where o.status = 'finishing' and o.stop_ignored_at is not null
        union all
        select 'failing', c.charge_point_id, c.ocpp_connector, null, null, l.since
        from connectors c join charge_points p on p.id = c.charge_point_id
          cross join lateral (
            select count(*) as count, count(*) filter (where o.status = 'failed') as failed, min(o.created_at) as since
            from (select status, created_at from operations where connector_id = c.id
              and status in ('failed', 'ongoing', 'finishing', 'finished', 'pending_final_payment')
              order by id desc limit ${failingFrom}) o) l
        where p.is_online and l.count = ${failingFrom} and l.failed = ${failingFrom}
          and c.ocpp_status is distinct from 'Faulted'
      )
      select f.kind, l.number as station, f.charge_point, p.identity, l.lat, l.lon, f.connector, f.error_code, f.operation,
        f.since
      from found f join charge_points p on p.id = f.charge_point
        left join place l on l.charge_point_id = f.charge_point
      order by array_position(array['stuck', 'faulted', 'failing', 'offline'], f.kind), f.since desc nulls last
      limit ${mostProblems}`.execute(db);
    return rows.map((row) => ({ ...row, since: row.since?.toISOString() ?? null }));
  };

  /** Of each day in Kyiv on which operations were opened. */
  const countedDays = (from: Date) =>
    sql<AttemptCounts & { day: string }>`
    select to_char(a.created_at at time zone ${kyivZone}, 'YYYY-MM-DD') as day, ${attemptCounts}
    from ${attempts} a where a.created_at >= ${from} group by 1`.execute(db);

  const notFirst = (from: Date) =>
    sql<Pick<ChargingAttempt, 'try' | 'cause'> & { id: number }>`
    select a.id, a.try, a.cause from ${attempts} a where a.created_at >= ${from} and a.try <> 'first' order by a.id desc`.execute(
      db,
    );

  return async (): Promise<NetworkOverview> => {
    const now = clock.now();
    const from = kyivDayStart(new Date(kyivDayStart(now).getTime() - (days - 1) * dayMs + dayMs / 2));
    const [found, counts, failures, counted] = await Promise.all([
      problems(),
      countedDays(from),
      notFirst(kyivDayStart(now)),
      sql<{ stations: number; connectors: number }>`
        select (select count(*) from stations where not is_virtual) as stations,
          (select count(*) from connectors) as connectors`.execute(db),
    ]);
    const troubled = found.flatMap(({ station }) => (station === null ? [] : [station]));
    const healthy = await sql<{ lat: number; lon: number }>`
      select lat, lon from stations where not is_virtual and not (number = any(${troubled}::text[]))
      order by id limit ${mostHealthy}`.execute(db);
    const countOf = new Map(counts.rows.map(({ day, ...count }) => [day, count]));
    const none: AttemptCounts = { attempts: 0, right: 0, tries: 0, first: 0 };
    return {
      stations: counted.rows[0]?.stations ?? 0,
      connectors: counted.rows[0]?.connectors ?? 0,
      problems: found,
      healthy: healthy.rows,
      days: Array.from({ length: days }, (_, index) => {
        const day = kyivDate(new Date(from.getTime() + index * dayMs + dayMs / 2));
        return { day, ...(countOf.get(day) ?? none) };
      }),
      reasons: reasonsOf(failures.rows.map((row) => ({ id: row.id, reason: attemptReason(row) }))),
    };
  };
}

export type NetworkOverviewReader = ReturnType<typeof createNetworkOverview>;

/** With their operations, the most frequent first. */
export function reasonsOf(judged: readonly { id: number; reason: AttemptReason | null }[]): NetworkOverview['reasons'] {
  return attemptReasons
    .map((reason) => {
      const own = judged.filter((one) => one.reason === reason);
      return { reason, operations: own.slice(0, mostOperations).map(({ id }) => id), count: own.length };
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}
