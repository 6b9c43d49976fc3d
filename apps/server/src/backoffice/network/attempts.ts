import type { AttemptCause } from '@fpay/contract/admin/network/attempts';
import { endedStatuses } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import { type RawBuilder, sql } from 'kysely';
import { literals } from '../../platform/database.ts';

/**
 * How each operation counts, as columns of `attempts`. `attempt` counts for *charging success*: somebody was at a connector with money
 * secured, energy flowed soon, and the charge ended as it should. `try` counts for *first attempt*, which knows the bank too, and asks
 * only for the start. Both are null where no try was made; an operation that is open is not judged.
 */
export interface ChargingAttempt {
  attempt: 'right' | 'failed' | null;
  try: 'first' | 'later' | 'failed' | null;
  /** Of an attempt or a try that failed. */
  cause: AttemptCause | null;
}

const seconds = (count: number) => sql`${sql.lit(count)} * interval '1 s'`;

/** Reasons of a device that no driver wishes for. */
const badReasons: Record<string, AttemptCause> = {
  EmergencyStop: 'emergency_stop',
  HardReset: 'reset',
  SoftReset: 'reset',
  Reboot: 'reset',
  PowerLoss: 'power_loss',
  DeAuthorized: 'deauthorized',
};

/** A driver who waits for less has changed their mind; after more, the station was too slow. */
const leastWait = seconds(30);
/** Energy that comes later is not what the driver expected of a start. */
const [energyWithinAc, energyWithinDc] = [seconds(300), seconds(180)];
/** A driver who ends a charge this soon has tried it out. */
const short = seconds(300);
const [leastWh, leastOfShortWh] = [100, 10].map((count) => sql.lit(count));
const near = seconds(60);
const obeyWithin = seconds(60);

const dcTypes = Object.entries(connectorTypes).flatMap(([name, { current }]) => (current === 'DC' ? [name] : []));
const energyWithin = sql`(case when c.type in (${literals(dcTypes)}) then ${energyWithinDc} else ${energyWithinAc} end)`;

const gaveUp = sql`(o.start_attempt > 1 or o.closed_at - o.start_sent_at >= ${leastWait})`;
/** Of a charge without readings only the end is known. */
const started = sql`coalesce(o.first_energy_at - o.started_at <= ${energyWithin},
  o.energy_wh >= case when o.finished_at - o.started_at <= ${short} then ${leastOfShortWh} else ${leastWh} end)
  and o.started_at is not null`;
const faulted = sql`o.faulted_at between o.finished_at - ${near} and o.finished_at + ${near}`;
const disobeyed = sql`o.finished_at - o.stop_requested_at >= ${obeyWithin}`;

/** In the order of time: what came first is the cause. */
const cause = sql`case
  when o.status = 'canceled' then case when o.stop_cause = 'site_full' then 'no_power' when ${gaveUp} then 'driver_gave_up' end
  when o.status = 'failed_hold' then coalesce(o.failure_cause, 'bank_refused')
  when not (${started}) then coalesce(o.failure_cause, case when ${faulted} then 'fault_before' when o.started_at is null then 'other' else 'no_energy' end)
  when ${faulted} then 'fault_during'
  when ${disobeyed} then case when o.stop_ignored_at is null then 'lost_contact' else 'stop_ignored' end
  when o.stop_cause = 'watchdog' then 'lost_contact'
  when o.status = 'failed' then 'other'
  else case o.stop_reason ${sql.join(
    Object.entries(badReasons).map(([reason, code]) => sql`when ${sql.lit(reason)} then ${sql.lit(code)}`),
    sql` `,
  )} end end`;

/** All operations with how they count, for `from`: `${attempts} a`. A condition on their columns reaches the indexes of operations. */
export const attempts: RawBuilder<unknown> = sql`(
  select j.*,
    case when j.status = 'canceled' and j.cause is null then null
      when j.status = 'failed_hold' and j.cause <> 'bank_down' then null
      when j.cause is null then 'right' else 'failed' end as attempt,
    case when j.status = 'canceled' and j.cause is null then null
      when j.status in ('canceled', 'failed_hold') or not j.has_started then 'failed'
      when j.start_attempt > 1 then 'later' else 'first' end as try
  from (
    select o.id, o.station_id, o.connector_id, o.status, o.created_at, o.start_attempt, ${started} as has_started, ${cause} as cause
    from operations o join connectors c on c.id = o.connector_id
    where o.status in (${literals(endedStatuses)})
  ) j
)`;

/** For a list of columns after `group by`. */
export const attemptCounts: RawBuilder<unknown> = sql`
  count(*) filter (where a.attempt is not null)::int as attempts, count(*) filter (where a.attempt = 'right')::int as right,
  count(*) filter (where a.try is not null)::int as tries, count(*) filter (where a.try = 'first')::int as first`;
