import { atDeviceStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { exactTimerWithinMs, type LastReading } from '../../ocpp/device/charging-port.ts';
import { literals } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';

/** Less than the half minute by which `lookAt` looks ahead. */
const farSlackMs = 20_000;
/** Long enough for the device to answer. */
const renewAheadMs = 8_000;

/** So much energy flowed, or two readings had power. One reading with power may be the car's own test of the cable. */
const firstEnergyWh = 100;

const received = sql`to_timestamp(v.received_ms::float8 / 1000)`;
const billedAt = sql`to_timestamp(v.billed_ms::float8 / 1000)`;
/** False without a limit. */
const isUnbilled = sql`coalesce(o.billed_until < ${billedAt}, false)`;
/** A charging profile that would cut the power before our own stop is renewed in time. */
const renewAt = sql`case when o.device_cut_at < to_timestamp(v.stop_due_ms::float8 / 1000)
    then o.device_cut_at - ${renewAheadMs} * interval '1 ms' end`;
const slackMs = sql`case when v.next_action_ms - v.received_ms > ${exactTimerWithinMs} then ${farSlackMs} else 0 end`;
const latestAt = sql`least(to_timestamp((v.next_action_ms + ${slackMs})::float8 / 1000), ${renewAt})`;
const nextAt = sql`least(to_timestamp(v.next_action_ms::float8 / 1000), ${renewAt})`;

/**
 * The operations' part of the statement by which the gateway stores a batch of readings (ADR 13). Only charging writes
 * operations, so the rule is here: which status may have its total raised, and when the watchdogs' columns and the planned
 * stop change. Energy and totals never decrease; values that the device did not send stay as they are.
 *
 * The statement around it provides `reported`, a row for each transaction, and `counted`, the ids of transactions that are open.
 */
export const operationProgressUpdate = sql`update operations o
      set energy_wh = case when ${isUnbilled} then o.energy_wh else greatest(o.energy_wh, v.energy_wh) end,
          first_unbilled_wh = case when ${isUnbilled} then coalesce(o.first_unbilled_wh, v.energy_wh)
            else o.first_unbilled_wh end,
          first_unbilled_at = case when ${isUnbilled} then coalesce(o.first_unbilled_at, ${billedAt}) else o.first_unbilled_at end,
          first_energy_at = coalesce(o.first_energy_at, case when v.energy_wh >= ${firstEnergyWh} or (v.power_w > 0 and o.power_w > 0)
            then to_timestamp(v.sampled_ms::float8 / 1000) end),
          power_w = coalesce(v.power_w, o.power_w),
          current_ma = coalesce(v.current_ma, o.current_ma), soc = coalesce(v.soc, o.soc),
          last_sample_at = case when ${isUnbilled} then o.last_sample_at
            else greatest(o.last_sample_at, to_timestamp(v.sampled_ms::float8 / 1000)) end,
          total = case when o.status = 'starting' or ${isUnbilled} then o.total else greatest(o.total, least(o.deposit, v.total + o.idle_total)) end,
          real_total = case when o.status = 'starting' or ${isUnbilled} then o.real_total else greatest(o.real_total, v.real_total + o.idle_total) end,
          limit_reached_at = case when o.status <> 'starting' and v.is_at_limit = 1
            then coalesce(o.limit_reached_at, ${received}) end,
          idle_since = case when o.status <> 'starting' and coalesce(v.power_w, o.power_w) = 0
            then coalesce(o.idle_since, ${received}) end,
          stop_due_at = case when o.status = 'ongoing' then to_timestamp(v.stop_due_ms::float8 / 1000) else o.stop_due_at end,
          metered_at = ${received},
          -- Leaving the column as it is spares the index. Looking earlier than needed does no harm, and what is far away is
          -- looked at half a minute before it is due, so that a little later does none either.
          next_action_at = case when o.status <> 'ongoing' then o.next_action_at
            when o.next_action_at > ${received}
              and o.next_action_at < ${latestAt} then o.next_action_at
            else ${nextAt} end
      from reported v
      where o.id = v.operation_id and v.id in (select id from counted)
        and o.status in (${literals(atDeviceStatuses)})
      returning o.id, v.is_published`;

/** The values of a StopTransaction, as far as the driver pays for them. The end itself follows by `transactionEnded`. */
export async function writeLastReading(step: Step, reading: LastReading): Promise<void> {
  const { operationId, energyWh, stoppedAt, billedAt, powerW, currentMa, soc } = reading;
  await step.db
    .updateTable('operations')
    .set({
      energy_wh: sql`greatest(energy_wh, ${energyWh})`,
      last_sample_at: sql`greatest(last_sample_at, ${stoppedAt})`,
      ...(powerW === null ? {} : { power_w: powerW }),
      ...(currentMa === null ? {} : { current_ma: currentMa }),
      ...(soc === null ? {} : { soc }),
    })
    .where('id', '=', operationId)
    .where('status', 'in', atDeviceStatuses)
    .where((of) => of.or([of('billed_until', 'is', null), of('billed_until', '>=', billedAt)]))
    .execute();
  step.publish('operation', operationId);
}
