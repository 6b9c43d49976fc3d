import type { ConnectorType } from '@fpay/contract/connectors';
import { sql } from 'kysely';
import { type StoredMessages, wireTextsOf } from '../../ocpp/connections/message-exchanges.ts';
import { frameHead } from '../../ocpp/connections/message-frames.ts';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';
import { type CommissioningFacts, isGrowing } from './steps.ts';

/** A commissioning takes an hour; so many pages are more than a device fills in that time. */
const mostPages = 2_000;
/** A car is plugged when the connector reports one of these. */
const pluggedStatuses = new Set(['Preparing', 'Charging', 'SuspendedEV', 'SuspendedEVSE']);

interface StoredPoint {
  is_online: boolean;
  firmware_version: string | null;
  booted_at: Date | null;
  configuration: { configuredFor?: string; settled?: Record<string, string>; values?: object; refused?: object };
}

interface StoredConnector {
  ocpp_connector: number;
  type: ConnectorType;
  ocpp_status: string | null;
  status_at: Date | null;
  status_ahead_ms: number | null;
}

/** What the charge point has reported since then. */
export async function commissioningFacts(
  db: Database | Step['db'],
  chargePoint: number,
  since: Date,
): Promise<CommissioningFacts | null> {
  const { rows: points } = await sql<StoredPoint>`
    select is_online, firmware_version, booted_at, configuration from charge_points
    where id = ${chargePoint}`.execute(db);
  const [point] = points;
  if (!point) return null;
  const { rows: connectors } = await sql<StoredConnector>`
    select ocpp_connector, type, ocpp_status, status_at, status_ahead_ms from connectors
    where charge_point_id = ${chargePoint} order by ocpp_connector`.execute(db);
  const { configuredFor, values = {}, refused = {} } = point.configuration;
  const charge = await chargeSince(db, chargePoint, since);
  return {
    isOnline: point.is_online,
    firmware: point.firmware_version,
    bootedAt: point.booted_at?.toISOString() ?? null,
    clockAheadMs: clockOf(connectors),
    configuration:
      configuredFor === undefined ? null : { set: Object.keys(values).length, refused: Object.keys(refused) },
    connectors: connectors.map(({ ocpp_connector, type }) => ({ number: ocpp_connector, type })),
    plugged: await pluggedSince(db, chargePoint, since, connectors),
    charge: charge && { operation: charge.id, energyWh: charge.energy_wh },
    readings: charge && (await readingsOf(db, charge.id)),
    unlocked: await unlockedSince(db, chargePoint, since),
  };
}

function clockOf(connectors: readonly StoredConnector[]): number | null {
  const [latest] = connectors
    .filter(({ status_ahead_ms }) => status_ahead_ms !== null)
    .toSorted((one, other) => Number(other.status_at) - Number(one.status_at));
  return latest?.status_ahead_ms ?? null;
}

/** From the log of messages, because a connector keeps only its last status. */
async function pluggedSince(
  db: Database | Step['db'],
  chargePoint: number,
  since: Date,
  connectors: readonly StoredConnector[],
): Promise<number[]> {
  const { rows } = await sql<StoredMessages>`
    select lines, frames from message_pages where charge_point_id = ${chargePoint} and ended_at >= ${since}
      and (position('StatusNotification'::bytea in frames) > 0 or lines like '%StatusNotification%')
    order by ended_at desc limit ${mostPages}`.execute(db);
  const reported = rows
    .flatMap(wireTextsOf)
    .filter(({ at, text }) => at >= since.getTime() && isStatus(text))
    .flatMap(({ text }) => {
      const { status, connectorId } = payloadOf(text);
      return typeof connectorId === 'number' && pluggedStatuses.has(String(status)) ? [connectorId] : [];
    });
  const now = connectors.filter(
    ({ ocpp_status, status_at }) => pluggedStatuses.has(ocpp_status ?? '') && status_at !== null && status_at >= since,
  );
  return [...new Set([...reported, ...now.map(({ ocpp_connector }) => ocpp_connector)])];
}

function isStatus(text: string): boolean {
  const head = frameHead(text);
  return head.kind === 'call' && head.action === 'StatusNotification';
}

function payloadOf(call: string): Record<string, unknown> {
  try {
    const [, , , payload] = JSON.parse(call) as unknown[];
    return (payload ?? {}) as Record<string, unknown>;
  } catch {
    // A frame that was cut or repaired is not evidence.
    return {};
  }
}

async function chargeSince(db: Database | Step['db'], chargePoint: number, since: Date) {
  const { rows } = await sql<{ id: number; energy_wh: number }>`
    select id, energy_wh from operations where charge_point_id = ${chargePoint} and started_at >= ${since}
      and status in ('finished', 'pending_final_payment') order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

async function readingsOf(db: Database | Step['db'], operation: number) {
  const { rows } = await sql<{ sampled_at: Date; energy_wh: number | null }>`
    select m.sampled_at, m.energy_wh from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
    where t.operation_id = ${operation} order by m.sampled_at limit 1000`.execute(db);
  const energies = rows.flatMap(({ energy_wh }) => (energy_wh === null ? [] : [energy_wh]));
  const gaps = rows.slice(1).map(({ sampled_at }, index) => Number(sampled_at) - Number(rows[index]?.sampled_at));
  return {
    count: rows.length,
    longestGapMs: Math.max(0, ...gaps),
    isGrowing: isGrowing(energies),
  };
}

async function unlockedSince(db: Database | Step['db'], chargePoint: number, since: Date): Promise<number[]> {
  const { rows } = await sql<{ connector: number }>`
    select distinct (payload->>'connectorId')::int as connector from commands
    where charge_point_id = ${chargePoint} and created_at >= ${since} and action = 'UnlockConnector'
      and answer->>'status' = 'Unlocked'`.execute(db);
  return rows.map(({ connector }) => connector);
}
