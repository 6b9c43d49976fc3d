import { isConnectorType } from '@fpay/contract/connectors';
import { OpeningHours } from '@fpay/contract/stations';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { wallClock } from '../../platform/kyiv-time.ts';
import { connectorStatus } from '../../stations/connector-status.ts';
import type { StationStore, StoredConnector } from '../../stations/store.ts';
import { Tariff } from '../../stations/tariff.ts';
import { ocpiTime } from './answer.ts';
import type { OcpiIdentity } from './identity.ts';
import { cityOf, coordinatesOf, electricsOf, evseStatus, openingTimes } from './location.ts';
import type { OcpiPage } from './page.ts';
import { tariffElements } from './tariff.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  stations: Pick<StationStore, 'byIds' | 'connectorsOf'>;
  identity: OcpiIdentity;
  operator: string;
  hasVat: boolean;
}

export interface OcpiConnector extends Record<string, unknown> {
  id: string;
}
export interface OcpiEvse extends Record<string, unknown> {
  uid: string;
  connectors: OcpiConnector[];
}
export interface OcpiLocation extends Record<string, unknown> {
  id: string;
  evses: OcpiEvse[];
}

export interface OcpiReadModel {
  locations(page: OcpiPage): Promise<{ total: number; list: OcpiLocation[] }>;
  location(id: string): Promise<OcpiLocation | null>;
  tariffs(page: OcpiPage): Promise<{ total: number; list: object[] }>;
}

/**
 * Stations that everyone may use: not those of closed parties, not retired ones, not virtual ones, whose connectors are
 * those of others, and none without connectors.
 */
const publicStations = sql`
  select s.id, s.number, s.created_at, greatest(s.created_at, s.changed_at,
    max(c.status_at), max(p.status_at), max(p.online_changed_at), max(o.status_at), max(w.at)) as updated_at
  from stations s
  join connectors c on c.station_id = s.id and c.removed_at is null
  join charge_points p on p.id = c.charge_point_id
  left join lateral (select status_at from operations where station_id = s.id order by id desc limit 1) o on true
  left join lateral (select max(case status when 'active' then starts_at when 'ended' then ends_at end) as at
    from maintenance_windows where station_id = s.id) w on true
  where not s.is_virtual and s.retired_at is null
    and not exists (select from parties where parties.id = s.party_id and parties.is_closed)
  group by s.id`;

const publicTariffs = sql`
  select t.id, t.price, t.hours, t.discount, coalesce(
    (select max(starts_at) from tariff_changes where tariff_id = t.id and status = 'applied'), min(s.created_at)) as updated_at
  from tariffs t
  join connectors c on c.tariff_id = t.id and c.removed_at is null
  join (${publicStations}) s on s.id = c.station_id
  group by t.id`;

export function createOcpiReadModel(given: Dependencies): OcpiReadModel {
  const { db, clock, stations, identity, operator, hasVat } = given;
  const owner = { country_code: identity.countryCode, party_id: identity.partyId };

  async function locationsOf(rows: readonly { id: number; updated_at: Date }[]): Promise<OcpiLocation[]> {
    const ids = rows.map(({ id }) => id);
    const [found, connectors] = await Promise.all([stations.byIds(ids), stations.connectorsOf(ids)]);
    const tariffOf = await tariffIds(connectors.map(({ id }) => id));
    return rows.flatMap(({ id, updated_at }) => {
      const station = found.find((one) => one.id === id);
      if (!station) return [];
      const last_updated = ocpiTime(updated_at);
      const hours = OpeningHours.safeParse(station.openingHours);
      return [
        {
          ...owner,
          id: station.number,
          publish: true,
          name: `${operator} ${station.number}`,
          address: station.addressUk.slice(0, 255),
          city: cityOf(station.addressUk),
          country: 'UKR',
          coordinates: coordinatesOf(station.lat, station.lon),
          ...(station.note && { directions: [{ language: 'uk', text: station.note.slice(0, 512) }] }),
          operator: { name: operator },
          time_zone: 'Europe/Kyiv',
          opening_times: openingTimes(hours.success ? hours.data : null),
          evses: connectors
            .filter(({ stationId }) => stationId === id)
            .flatMap((connector) => evseOf(connector, tariffOf.get(connector.id) ?? null, last_updated)),
          last_updated,
        },
      ];
    });
  }

  /** A car charges at one connector at a time, so each connector is an EVSE. */
  function evseOf(connector: StoredConnector, tariff: number | null, last_updated: string): OcpiEvse[] {
    const { id, type, powerW, hasCable, facts } = connector;
    if (!isConnectorType(type)) return [];
    return [
      {
        uid: String(id),
        evse_id: `${identity.countryCode}*${identity.partyId}*E${id}`,
        status: evseStatus(connectorStatus(facts), facts.ocppStatus, facts.chargePointStatus),
        capabilities: ['REMOTE_START_STOP_CAPABLE', 'CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'],
        physical_reference: String(connector.ocppConnector),
        connectors: [
          {
            id: '1',
            format: hasCable ? 'CABLE' : 'SOCKET',
            ...electricsOf(type, powerW),
            ...(tariff !== null && { tariff_ids: [String(tariff)] }),
            last_updated,
          },
        ],
        last_updated,
      },
    ];
  }

  async function tariffIds(connectors: readonly number[]): Promise<Map<number, number>> {
    if (connectors.length === 0) return new Map();
    const rows = await db.selectFrom('connectors').select(['id', 'tariff_id']).where('id', 'in', connectors).execute();
    return new Map(rows.flatMap(({ id, tariff_id }) => (tariff_id === null ? [] : [[id, tariff_id] as const])));
  }

  /** One statement, so that the count and the page are of one moment. */
  async function pageRows<Row extends { id: number; updated_at: Date }>(source: typeof publicStations, page: OcpiPage) {
    const { rows } = await sql<Row & { total: number }>`
      with matching as (
        select * from (${source}) found
        where (${page.from}::timestamptz is null or updated_at >= ${page.from})
          and (${page.to}::timestamptz is null or updated_at < ${page.to}))
      select m.*, t.total from (select count(*)::int as total from matching) t
      left join lateral (select * from matching order by id limit ${page.limit} offset ${page.offset}) m on true
      order by m.id`.execute(db);
    return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) };
  }

  return {
    async locations(page) {
      const { total, rows } = await pageRows(publicStations, page);
      return { total, list: await locationsOf(rows) };
    },

    async location(id) {
      const { rows } = await sql<{ id: number; updated_at: Date }>`
        select id, updated_at from (${publicStations}) found where number = ${id}`.execute(db);
      return (await locationsOf(rows))[0] ?? null;
    },

    async tariffs(page) {
      type Row = { id: number; updated_at: Date; price: number; hours: unknown; discount: unknown };
      const { total, rows } = await pageRows<Row>(publicTariffs, page);
      const { day } = wallClock(clock.now());
      const list = rows.flatMap(({ id, updated_at, price, hours, discount }) => {
        const terms = Tariff.safeParse({ price, hours, discount });
        // A row that cannot be read has no price, so no charge starts with it either.
        if (!terms.success) return [];
        return [
          {
            ...owner,
            id: String(id),
            currency: 'UAH',
            type: 'AD_HOC_PAYMENT',
            elements: tariffElements(terms.data, hasVat, day),
            last_updated: ocpiTime(updated_at),
          },
        ];
      });
      return { total, list };
    },
  };
}
