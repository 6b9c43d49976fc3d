import { type RawBuilder, sql } from 'kysely';
import { bigints, integers } from '../platform/rows/binary-array.ts';
import type { Step } from '../platform/step.ts';

/**
 * The connectors' part of the statement by which the gateway stores a batch of statuses (`ocpp/recovery/status-store.ts`).
 * The statement around it provides `reported`, a row for each report, and `connector_changes` and `whole_changes`, the reports
 * that are written. A row with a status, of a connector or of a charge point, is `s`; its report is `v`.
 */
const isOlder = sql`v.is_kept and coalesce(v.device_at < s.status_device_at, false)`;
const isNewStatus = sql`s.ocpp_status is distinct from v.status`;
const isChange = sql`(s.ocpp_status is distinct from v.status or s.error_code is distinct from v.error_code)`;

export const reportFacts = sql`${isOlder} as is_older, ${isChange} as is_change, ${isNewStatus} as is_new_status`;

/** A report that changes nothing, not even the timestamp, is not written. */
export const reportDiffers = sql`(v.is_change or (v.device_at is not null and s.status_device_at is distinct from v.device_at))`;

/** `status_at` is the time of the last change, however often the status is reported. */
export const reportedState = (now: Date): RawBuilder<unknown> => sql`
  ocpp_status = v.status, error_code = v.error_code,
  status_at = case when v.is_new_status then ${now}::timestamptz else s.status_at end,
  status_device_at = coalesce(v.device_at, s.status_device_at)`;

/** The reports about connectors of the network, each with its connector, which is locked. */
export const reportsOfConnectors = sql`
      select v.*, s.id, s.station_id, ${reportFacts}
      from reported v join connectors s on s.charge_point_id = v.charge_point_id and s.ocpp_connector = v.ocpp_connector
      where v.ocpp_connector > 0 order by s.id for no key update of s`;

/** A clock that moved by less than a second is the same, because messages take their time. */
const clockDiffers = sql`abs(v.ahead_ms - coalesce(s.status_ahead_ms, v.ahead_ms + 1000)) >= 1000`;

export const connectorUpdate = (now: Date): RawBuilder<unknown> => sql`
      update connectors s set ${reportedState(now)}, status_ahead_ms = coalesce(v.ahead_ms, s.status_ahead_ms)
      from connector_changes v where s.id = v.id and (${reportDiffers} or ${clockDiffers})`;

/** Stations that look different now, as refs of the outbox. */
export const changedStations: RawBuilder<unknown> = sql`
        select station_id::text from connector_changes where is_new_status
        union
        select k.station_id::text
        from whole_changes v join connectors k on k.charge_point_id = v.id where v.is_new_status`;

/** Positions of the reports about connectors that the network does not have. */
export async function unknownConnectors(
  step: Step,
  reports: readonly { chargePointId: number; ocppConnector: number }[],
): Promise<number[]> {
  const { rows } = await sql<{ index: number }>`
    select v.index from unnest(${integers([...reports.keys()], (index) => index)}::int[],
      ${bigints(reports, ({ chargePointId }) => chargePointId)}::bigint[],
      ${integers(reports, ({ ocppConnector }) => ocppConnector)}::int[]) as v (index, charge_point_id, ocpp_connector)
    where v.ocpp_connector > 0 and not exists (select from connectors k
      where k.charge_point_id = v.charge_point_id and k.ocpp_connector = v.ocpp_connector)`.execute(step.db);
  return rows.map(({ index }) => index);
}

/** A device that boots may have set its clock back, and an earlier timestamp would outrank all that follow. */
export async function forgetStatusTimes(step: Step, chargePointIds: readonly number[]): Promise<void> {
  await sql`
    update connectors set status_device_at = null, status_ahead_ms = null
    where charge_point_id = any(${chargePointIds}::bigint[])
      and (status_device_at is not null or status_ahead_ms is not null)`.execute(step.db);
}
