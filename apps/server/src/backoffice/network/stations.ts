import type { NetworkStation, StationConnector, StationItem } from '@fpay/contract/admin/network/stations';
import { isConnectorType } from '@fpay/contract/connectors';
import { kopecks, watts } from '@fpay/contract/money';
import { OpeningHours } from '@fpay/contract/stations';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { announced } from '../../stations/announced-work.ts';
import { factsOf, inPlace, selectConnectors } from '../../stations/connector-rows.ts';
import { connectorStatus } from '../../stations/connector-status.ts';
import { openWindows } from '../../stations/maintenance-windows.ts';
import { createPhotoStore } from '../../stations/photos.ts';
import { isFixedPrice, priceAt, readTariff } from '../../stations/tariff.ts';

export interface StationFilter {
  q: string | null;
  isRetired: boolean;
  before: number | null;
  limit: number;
}

/** Stations as staff see them. */
export interface StationViews {
  list(filter: StationFilter): Promise<StationItem[]>;
  /** @refuses station_not_found, pricing_unavailable */
  one(number: string): Promise<NetworkStation>;
  choices(): Promise<StationChoices>;
  /**
   * What a sticker of each of these stations shows, in the order of the numbers.
   * @refuses station_not_found, code_missing
   */
  labels(numbers: readonly string[]): Promise<{ number: string; address: string; code: string }[]>;
}

interface StationChoices {
  charge_points: string[];
  tariffs: { id: number; name: string; price: number; is_fixed: boolean }[];
  parties: { id: number; name: string; is_closed: boolean }[];
  next_number: string;
}

/** More would not help a person who types the first letters of an identity. */
const mostDevices = 1_000;
const firstNumber = 'F1000';

export function createStationViews({ db, clock }: { db: Database; clock: Clock }): StationViews {
  const rows = () =>
    db
      .selectFrom('stations')
      .leftJoin('parties', 'parties.id', 'stations.party_id')
      .select((of) => [
        'stations.id',
        'stations.number',
        'stations.address',
        'stations.address_uk',
        'stations.is_virtual',
        'parties.name as party',
        sql<boolean>`stations.retired_at is not null`.as('is_retired'),
        sql<boolean>`exists (
          select 1 from connectors join charge_points on charge_points.id = connectors.charge_point_id
          left join virtual_station_connectors listed on listed.connector_id = connectors.id
          where (connectors.station_id = stations.id or listed.station_id = stations.id)
            and connectors.removed_at is null and charge_points.is_online)`.as('is_online'),
        sql<number>`(case when stations.is_virtual
          then (select count(*) from virtual_station_connectors where station_id = stations.id)
          else (select count(*) from connectors where station_id = stations.id and removed_at is null) end)::int`.as(
          'connectors',
        ),
        of
          .selectFrom('maintenance_windows')
          .select((window) => window.cast<number>(window.fn.countAll(), 'integer').as('count'))
          .whereRef('maintenance_windows.station_id', '=', 'stations.id')
          .where('maintenance_windows.status', '=', 'active')
          .as('in_maintenance'),
      ]);

  const photos = createPhotoStore(db);

  async function connectorsOf(station: { id: number; is_virtual: boolean }): Promise<StationConnector[]> {
    const listed = await db
      .selectFrom('virtual_station_connectors')
      .select('connector_id')
      .where('station_id', '=', station.id)
      .orderBy('position')
      .execute();
    const found = await selectConnectors(db)
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .leftJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
      .select([
        'connectors.power_w',
        'connectors.has_cable',
        'connectors.tariff_id',
        'charge_points.identity',
        'stations.number',
        'tariffs.name',
        'tariffs.price',
        'tariffs.hours',
        'tariffs.discount',
        'tariffs.idle',
      ])
      .$if(station.is_virtual, (query) =>
        query.where('connectors.id', 'in', [0, ...listed.map(({ connector_id }) => connector_id)]),
      )
      .$if(!station.is_virtual, (query) => query.where('connectors.station_id', '=', station.id))
      .execute();
    const order = new Map(listed.map(({ connector_id }, index) => [connector_id, index]));
    const sorted = station.is_virtual
      ? found.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
      : found.sort(inPlace);
    return sorted.flatMap((row) => {
      if (!isConnectorType(row.type)) return [];
      const { price, hours, discount, idle, name, tariff_id } = row;
      const tariff = price === null ? null : readTariff({ price, hours, discount, idle });
      return [
        {
          id: row.id,
          charge_point: row.identity,
          connector: row.ocpp_connector,
          type: row.type,
          power: watts(row.power_w),
          has_cable: row.has_cable,
          tariff:
            tariff && tariff_id !== null
              ? { id: tariff_id, name: name ?? '', is_fixed: isFixedPrice(name ?? '', tariff) }
              : null,
          price: tariff && priceAt(tariff, clock.now()).price,
          status: connectorStatus(factsOf(row)),
          station_number: row.number,
        },
      ];
    });
  }

  return {
    async list({ q, isRetired, before, limit }) {
      const wanted = `%${(q ?? '').trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
      return rows()
        .where('stations.retired_at', isRetired ? 'is not' : 'is', null)
        .$if(before !== null, (query) => query.where('stations.id', '<', before ?? 0))
        .$if(wanted !== '%%', (query) =>
          query.where((of) =>
            of.or([
              of('stations.number', 'ilike', wanted),
              of('stations.address', 'ilike', wanted),
              of('stations.address_uk', 'ilike', wanted),
            ]),
          ),
        )
        .orderBy('stations.id', 'desc')
        .limit(limit)
        .execute()
        .then((found) => found.map((row) => ({ ...row, in_maintenance: row.in_maintenance ?? 0 })));
    },

    async one(number) {
      const station = await rows()
        .select([
          'stations.lat',
          'stations.lon',
          'stations.party_id',
          'stations.note',
          'stations.opening_hours',
          'stations.changed_at',
        ])
        .where('stations.number', '=', number)
        .executeTakeFirst();
      if (!station) throw new Refusal('station_not_found');
      const links = await db
        .selectFrom('links')
        .select('code')
        .where('station_id', '=', station.id)
        .orderBy('code')
        .execute();
      const windows = await openWindows(db, [station.id]);
      return {
        ...station,
        in_maintenance: station.in_maintenance ?? 0,
        opening_hours: OpeningHours.safeParse(station.opening_hours).data ?? null,
        changed_at: station.changed_at?.toISOString() ?? null,
        links: links.map(({ code }) => code),
        photos: await photos.of(station.id),
        connector_list: await connectorsOf(station),
        maintenance: windows.map((window) => ({ ...announced(window), id: window.id, is_active: window.isActive })),
      };
    },

    async labels(numbers) {
      const found = await db
        .selectFrom('stations')
        .leftJoin('links', 'links.station_id', 'stations.id')
        .select((of) => ['stations.number', 'stations.address_uk as address', of.fn.min('links.code').as('code')])
        .where('stations.number', 'in', numbers)
        .groupBy('stations.id')
        .execute();
      const byNumber = new Map(found.map((row) => [row.number, row]));
      return [...new Set(numbers)].map((number) => {
        const row = byNumber.get(number);
        if (!row) throw new Refusal('station_not_found');
        if (row.code === null) throw new Refusal('code_missing');
        return { number, address: row.address, code: row.code };
      });
    },

    async choices() {
      const [devices, tariffs, parties, last] = await Promise.all([
        db.selectFrom('charge_points').select('identity').orderBy('id', 'desc').limit(mostDevices).execute(),
        db.selectFrom('tariffs').selectAll().orderBy('name').execute(),
        db.selectFrom('parties').select(['id', 'name', 'is_closed']).orderBy('name').execute(),
        db
          .selectFrom('stations')
          .select(sql<string>`'F' || (max(substr(number, 2)::int) + 1)`.as('next'))
          .where('number', '~', '^F\\d{1,7}$')
          .executeTakeFirst(),
      ]);
      return {
        charge_points: devices.map(({ identity }) => identity),
        tariffs: tariffs.map(({ id, name, price, hours, discount, idle }) => ({
          id,
          name,
          price: kopecks(price),
          is_fixed: isFixedPrice(name, readTariff({ price, hours, discount, idle })),
        })),
        parties,
        next_number: last?.next ?? firstNumber,
      };
    },
  };
}
