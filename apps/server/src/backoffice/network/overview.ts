import {
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

  /** Charges whose money was secured or refused; a driver who left before paying has attempted nothing. */
  const attempts = (from: Date) =>
    sql<{
      id: number;
      status: string;
      start_attempt: number;
      has_started: boolean;
      failure_reason: string | null;
      day: string;
    }>`
    select id, status, start_attempt, started_at is not null as has_started, failure_reason,
      to_char(created_at at time zone ${kyivZone}, 'YYYY-MM-DD') as day
    from operations where created_at >= ${from}
      and status in ('failed', 'failed_hold', 'ongoing', 'finishing', 'finished', 'pending_final_payment')
    order by id desc`.execute(db);

  return async (): Promise<NetworkOverview> => {
    const now = clock.now();
    const from = kyivDayStart(new Date(kyivDayStart(now).getTime() - (days - 1) * dayMs + dayMs / 2));
    const [found, begun, counted] = await Promise.all([
      problems(),
      attempts(from),
      sql<{ stations: number; connectors: number }>`
        select (select count(*) from stations where not is_virtual) as stations,
          (select count(*) from connectors) as connectors`.execute(db),
    ]);
    const troubled = found.flatMap(({ station }) => (station === null ? [] : [station]));
    const healthy = await sql<{ lat: number; lon: number }>`
      select lat, lon from stations where not is_virtual and not (number = any(${troubled}::text[]))
      order by id limit ${mostHealthy}`.execute(db);
    const judged = begun.rows.map((row) => ({
      ...row,
      reason: attemptReason({
        status: row.status,
        attempt: row.start_attempt,
        hasStarted: row.has_started,
        failureReason: row.failure_reason,
      }),
    }));
    const today = kyivDate(now);
    return {
      stations: counted.rows[0]?.stations ?? 0,
      connectors: counted.rows[0]?.connectors ?? 0,
      problems: found,
      healthy: healthy.rows,
      days: Array.from({ length: days }, (_, index) => {
        const day = kyivDate(new Date(from.getTime() + index * dayMs + dayMs / 2));
        const own = judged.filter((one) => one.day === day);
        return { day, attempts: own.length, first_time: own.filter(({ reason }) => reason === null).length };
      }),
      reasons: reasonsOf(judged.filter(({ day }) => day === today)),
    };
  };
}

export type NetworkOverviewReader = ReturnType<typeof createNetworkOverview>;

function reasonsOf(judged: readonly { id: number; reason: AttemptReason | null }[]): NetworkOverview['reasons'] {
  return attemptReasons
    .map((reason) => {
      const own = judged.filter((one) => one.reason === reason);
      return { reason, operations: own.slice(0, mostOperations).map(({ id }) => id), count: own.length };
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}
