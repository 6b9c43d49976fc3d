import { type RawBuilder, sql } from 'kysely';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import { outboxInsert } from '../../platform/outbox.ts';
import { bigints, integers } from '../../platform/rows/binary-array.ts';
import type { Step } from '../../platform/step.ts';
import {
  changedStations,
  connectorUpdate,
  reportDiffers,
  reportedState,
  reportFacts,
  reportsOfConnectors,
} from '../../stations/reported-status.ts';
import { ladders, relapseMs } from './stuck-connectors.ts';

export interface StatusReport {
  chargePointId: number;
  /** 0 is the charge point as a whole. */
  ocppConnector: number;
  /** One of the standard's values or `Unknown`, never the device's own text. */
  status: string;
  errorCode: string;
  /** The device's own timestamp in ms; null when it sent none. */
  deviceAt: number | null;
  /** The device may have kept it while it was away, so that something newer may have arrived before it. */
  isKept?: boolean;
  /** How far the device's clock is ahead of ours; null when the report does not say. */
  aheadMs?: number | null;
  receivedAt: number;
}

export interface StatusChange {
  /** Position of the report in the batch. */
  index: number;
  /** Null for the charge point as a whole. */
  connectorId: number | null;
}

export interface WrittenStatuses {
  /** Changes with a listener in the same step. `hold` left them unwritten. */
  held: StatusChange[];
  /** All changes that were written; only filled when nothing is held. */
  changed: StatusChange[];
  /** Pages have something to read again. */
  isPublished: boolean;
  /** Reports about connectors that the network does not have. */
  unknown: number;
}

/**
 * A timestamp further in the future than this comes from a wrong clock; if it were stored, it would outrank every later
 * one.
 */
const aheadAtMostMs = 60_000;

const laddersInMs = JSON.stringify(
  Object.fromEntries(Object.entries(ladders).map(([status, rungs]) => [status, rungs.map(({ afterMs }) => afterMs)])),
);

/**
 * Writes a batch of statuses in one statement: the states of connectors and charge points, the timers of stuck connectors,
 * and the outbox rows of the stations that look different now. A batch has at most one report of each connector.
 *
 * What arrives later is newer, because a socket keeps the order. Only a report that the device may have kept while it was
 * away is ignored when it is stamped earlier than the stored one. Without a timestamp, or with an impossible one, it counts
 * as the newest.
 *
 * `hold`: changes to these statuses are not written but returned, because a listener must run in the same step. Null
 * means that every change is written and returned.
 */
export async function writeStatuses(
  db: Database | Step['db'],
  reports: readonly StatusReport[],
  { hold, now }: { hold: ReadonlySet<string> | 'all' | null; now: Date },
): Promise<WrittenStatuses> {
  const nowMs = now.getTime();
  const stamp = ({ deviceAt }: StatusReport) =>
    deviceAt !== null && deviceAt - nowMs <= aheadAtMostMs ? deviceAt : null;
  const holdsAll = hold === 'all';
  const held = hold === null || hold === 'all' ? [] : [...hold];
  const { rows } = await sql<Row>`${sql.raw(preparedStatementMarker)}
    with reported as materialized (
      select v.index, v.charge_point_id, v.ocpp_connector, v.status, v.error_code,
        to_timestamp(v.device_ms::float8 / 1000) as device_at, to_timestamp(v.received_ms::float8 / 1000) as received_at,
        v.kept = 1 as is_kept, v.ahead_ms, ${holdsAll}::boolean or v.status = any(${held}::text[]) as is_held
      from unnest(${integers([...reports.keys()], (index) => index)}::int[],
        ${bigints(reports, ({ chargePointId }) => chargePointId)}::bigint[],
        ${integers(reports, ({ ocppConnector }) => ocppConnector)}::int[],
        string_to_array(${lines(reports, ({ status }) => status)}, E'\\n'),
        string_to_array(${lines(reports, ({ errorCode }) => errorCode)}, E'\\n'),
        ${bigints(reports, stamp)}::bigint[], ${bigints(reports, ({ receivedAt }) => receivedAt)}::bigint[],
        ${integers(reports, ({ isKept }) => (isKept ? 1 : 0))}::int[],
        ${bigints(reports, ({ aheadMs = null }) => aheadMs)}::bigint[])
        as v (index, charge_point_id, ocpp_connector, status, error_code, device_ms, received_ms, kept, ahead_ms)
    ), of_connectors as materialized (
      ${reportsOfConnectors}
    ), of_wholes as materialized (
      select v.*, s.id, ${reportFacts}
      from reported v join charge_points s on s.id = v.charge_point_id
      where v.ocpp_connector = 0 order by s.id for no key update of s
    ), connector_changes as (
      select * from of_connectors where not is_older and not (is_change and is_held)
    ), whole_changes as (
      select * from of_wholes where not is_older and not (is_change and is_held)
    ), written_connectors as (
      ${connectorUpdate(now)}
    ), written_wholes as (
      update charge_points s set ${reportedState(now)} from whole_changes v where s.id = v.id and ${reportDiffers}
    ), stuck as (
      insert into stuck_connectors as s (connector_id, ocpp_status, since, rung, next_action_at)
      select id, status, received_at, 0, ${rungDue(sql`received_at`, sql`status`, sql`0`)}
      from connector_changes where is_change and ${hasLadder}
      on conflict (connector_id) do update set ocpp_status = excluded.ocpp_status, since = excluded.since,
        recovered_at = null, rung = ${rungAgain},
        next_action_at = ${rungDue(sql`excluded.since`, sql`excluded.ocpp_status`, rungAgain)}
    ), recovered as (
      update stuck_connectors s set recovered_at = v.received_at, next_action_at = null
      from connector_changes v
      where s.connector_id = v.id and v.is_change and not ${hasLadder} and s.recovered_at is null
    ), heard as (
      ${outboxInsert('station', changedStations)}
      returning 1
    )
    select 'counted' as kind, (select count(*) from of_connectors)::int as index, (select count(*) from heard) as connector_id
    union all
    select case when is_held then 'held' else 'changed' end, index, id
    from of_connectors where is_change and not is_older and (is_held or ${hold === null}::boolean)
    union all
    select case when is_held then 'held' else 'changed' end, index, null
    from of_wholes where is_change and not is_older and (is_held or ${hold === null}::boolean)`.execute(db);
  const counted = rows.find(({ kind }) => kind === 'counted');
  const changes = (of: Row['kind']) =>
    rows.filter(({ kind }) => kind === of).map(({ index, connector_id }) => ({ index, connectorId: connector_id }));
  const ofConnectors = reports.filter(({ ocppConnector }) => ocppConnector > 0).length;
  return {
    held: changes('held'),
    changed: changes('changed'),
    isPublished: (counted?.connector_id ?? 0) > 0,
    unknown: ofConnectors - (counted?.index ?? 0),
  };
}

interface Row {
  kind: 'counted' | 'held' | 'changed';
  index: number;
  connector_id: number | null;
}

const hasLadder = sql`(${laddersInMs}::jsonb -> status) is not null`;

/** When the remedy of this rung is due; null past the last one. */
const rungDue = (since: RawBuilder<unknown>, status: RawBuilder<unknown>, rung: RawBuilder<unknown>) =>
  sql`${since} + (${laddersInMs}::jsonb -> ${status} ->> ${rung})::float8 * interval '1 ms'`;

/** A connector that is stuck again soon after its recovery continues with the next remedy. */
const rungAgain = sql`(case when s.ocpp_status = excluded.ocpp_status
  and excluded.since - s.recovered_at < ${relapseMs} * interval '1 ms' then s.rung else 0 end)`;

/** One line each; the standard's values have no line break. */
function lines(reports: readonly StatusReport[], of: (report: StatusReport) => string): string {
  return reports.map(of).join('\n');
}
