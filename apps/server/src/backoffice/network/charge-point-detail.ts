import type { ChargePointView, DeviceCommandItem } from '@fpay/contract/admin/network/charge-points';
import type { ConnectorType } from '@fpay/contract/connectors';
import { watts } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { attemptOf, type StoredAttempt } from './refused-attempt.ts';

const mostCommands = 20;
const mostRefused = 10;
const weekMs = 7 * 24 * 3_600_000;

interface StoredConfiguration {
  values?: Record<string, string>;
  refused?: Record<string, string>;
  needsReboot?: string[];
}

interface StoredPoint {
  id: number;
  identity: string;
  needs_certificate: boolean;
  key_exposed_at: Date | null;
  is_online: boolean;
  online_changed_at: Date | null;
  connected_at: Date | null;
  vendor: string | null;
  model: string | null;
  serial_number: string | null;
  firmware_version: string | null;
  booted_at: Date | null;
  ocpp_status: string | null;
  error_code: string | null;
  configuration: StoredConfiguration;
}

interface StoredConnector {
  id: number;
  ocpp_connector: number;
  type: ConnectorType;
  power_w: number;
  has_cable: boolean;
  number: string;
  address_uk: string;
  ocpp_status: string | null;
  error_code: string | null;
  status_at: Date | null;
  status_ahead_ms: number | null;
  operation_id: number | null;
}

const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;

/** One charge point as it is now. The page asks for it every few seconds. */
export function createChargePointDetail({ db, clock, gatewayUrl }: { db: Database; clock: Clock; gatewayUrl: string }) {
  const connectorsOf = (id: number) =>
    sql<StoredConnector>`
    select c.id, c.ocpp_connector, c.type, c.power_w, c.has_cable, s.number, s.address_uk, c.ocpp_status, c.error_code,
      c.status_at, c.status_ahead_ms,
      (select o.id from operations o where o.connector_id = c.id and o.closed_at is null order by o.id desc limit 1)
        as operation_id
    from connectors c join stations s on s.id = c.station_id
    where c.charge_point_id = ${id} order by c.ocpp_connector`.execute(db);

  const commandsOf = (id: number) =>
    sql<Omit<DeviceCommandItem, 'created_at' | 'answered_at'> & { created_at: Date; answered_at: Date | null }>`
    select c.id, c.action, c.payload, c.status, c.answer, u.name as staff, c.created_at, c.answered_at
    from commands c left join users u on u.id = c.requested_by
    where c.charge_point_id = ${id} order by c.id desc limit ${mostCommands}`.execute(db);

  const noticesOf = (id: number) =>
    sql<{ kind: string; status: string | null; received_at: Date }>`
    select distinct on (n.kind) n.kind, n.payload->>'status' as status, n.received_at from charge_point_notices n
    where n.charge_point_id = ${id}
      and n.kind in ('DiagnosticsStatusNotification', 'FirmwareStatusNotification')
      and n.received_at > ${new Date(clock.now().getTime() - weekMs)}
    order by n.kind, n.id desc`.execute(db);

  /** The boots of a week are in the log of messages, which is kept as long. Pages of lines are those of older versions. */
  const trafficOf = (id: number) =>
    sql<{ last_at: Date | null; boots: number }>`
    select max(p.ended_at) as last_at, coalesce(sum(case
      when p.lines is not null then regexp_count(p.lines, ',"BootNotification",')
      when position('BootNotification'::bytea in p.frames) > 0
        then regexp_count(encode(p.frames, 'escape'), ',"BootNotification",')
      else 0 end), 0)::int as boots
    from message_pages p where p.charge_point_id = ${id}
      and p.ended_at >= ${new Date(clock.now().getTime() - weekMs)}`.execute(db);

  return async (id: number): Promise<ChargePointView> => {
    const found = await sql<StoredPoint>`
      select p.id, p.identity, p.needs_certificate, p.key_exposed_at, p.is_online, p.online_changed_at, l.connected_at, p.vendor, p.model, p.serial_number,
        p.firmware_version, p.booted_at, p.ocpp_status, p.error_code, p.configuration
      from charge_points p left join charge_point_links l on l.charge_point_id = p.id and l.node_id is not null
      where p.id = ${id}`.execute(db);
    const point = found.rows[0];
    if (!point) throw new Refusal('not_found');
    const [connectors, commands, notices, traffic, anomalies, refused] = await Promise.all([
      connectorsOf(id),
      commandsOf(id),
      noticesOf(id),
      trafficOf(id),
      db
        .selectFrom('charge_point_anomalies')
        .select(['kind', 'subject', 'times', 'last_at'])
        .where('charge_point_id', '=', id)
        .where('resolved_at', 'is', null)
        .orderBy('last_at', 'desc')
        .limit(10)
        .execute(),
      sql<StoredAttempt>`
        select identity, reason, address, times, first_at, last_at from refused_connections
        where identity = ${point.identity} order by last_at desc limit ${mostRefused}`.execute(db),
    ]);
    const notice = (kind: string) => {
      const row = notices.rows.find((one) => one.kind === kind);
      return row ? { status: row.status ?? 'Unknown', at: row.received_at.toISOString() } : null;
    };
    const stations = new Map(connectors.rows.map(({ number, address_uk }) => [number, address_uk]));
    return {
      id: point.id,
      identity: point.identity,
      address: `${gatewayUrl}${encodeURIComponent(point.identity)}`,
      needs_certificate: point.needs_certificate,
      key_exposed_at: iso(point.key_exposed_at),
      stations: [...stations].map(([number, address]) => ({ number, address })),
      is_online: point.is_online,
      since: iso(point.online_changed_at),
      connected_at: iso(point.connected_at),
      last_message_at: iso(traffic.rows[0]?.last_at),
      vendor: point.vendor,
      model: point.model,
      serial_number: point.serial_number,
      firmware_version: point.firmware_version,
      booted_at: iso(point.booted_at),
      boots: traffic.rows[0]?.boots ?? 0,
      clock_ahead_ms: clockAhead(connectors.rows),
      status: point.ocpp_status,
      error_code: point.error_code,
      connectors: connectors.rows.map((row) => ({
        id: row.id,
        number: row.ocpp_connector,
        type: row.type,
        power: watts(row.power_w),
        has_cable: row.has_cable,
        station: row.number,
        status: row.ocpp_status,
        error_code: row.error_code,
        status_at: iso(row.status_at),
        operation: row.operation_id,
      })),
      configuration: {
        values: point.configuration.values ?? {},
        refused: point.configuration.refused ?? {},
        needs_reboot: point.configuration.needsReboot ?? [],
      },
      anomalies: anomalies.map((row) => ({ ...row, last_at: row.last_at.toISOString() })),
      refused: refused.rows.map(attemptOf),
      commands: commands.rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        answered_at: iso(row.answered_at),
      })),
      diagnostics: notice('DiagnosticsStatusNotification'),
      firmware: notice('FirmwareStatusNotification'),
    };
  };
}

export type ChargePointDetail = ReturnType<typeof createChargePointDetail>;

/** By the latest status of a connector that had a time of the device. */
function clockAhead(connectors: readonly StoredConnector[]): number | null {
  const [latest] = connectors
    .filter(({ status_ahead_ms }) => status_ahead_ms !== null)
    .toSorted((one, other) => Number(other.status_at) - Number(one.status_at));
  return latest?.status_ahead_ms ?? null;
}
