import type { ConnectorType } from '@fpay/contract/connectors';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import { Tariff } from './tariff.ts';

export interface StationPlace {
  address: string;
  address_uk: string;
  lat: number;
  lon: number;
  party_id: number | null;
}

export interface CatalogueTariff {
  name: string;
  price: number;
  hours: unknown;
  discount: unknown;
  idle: unknown;
}

export interface CatalogueConnector {
  type: ConnectorType;
  power_w: number;
  has_cable: boolean;
  tariff_id: number;
}

/**
 * Writes the network: stations, connectors, tariffs, links. `network/` checks what a file or a staff member may change.
 */
export function createCatalogue({ db }: Step) {
  return {
    /** Locked until the step ends. */
    lockStation: (number: string) =>
      db
        .selectFrom('stations')
        .select(['id', 'is_virtual', 'retired_at'])
        .where('number', '=', number)
        .forUpdate()
        .executeTakeFirst(),

    /** For the record of what it was before a change. */
    station: (id: number) => db.selectFrom('stations').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),

    async addStation(number: string, isVirtual: boolean, place: StationPlace, now: Date): Promise<number> {
      const { id } = await db
        .insertInto('stations')
        .values({ number, ...place, is_virtual: isVirtual, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async changeStation(id: number, place: StationPlace): Promise<void> {
      await db.updateTable('stations').set(place).where('id', '=', id).execute();
    },

    async tariffNamed(name: string): Promise<number | null> {
      const row = await db.selectFrom('tariffs').select('id').where('name', '=', name).executeTakeFirst();
      return row?.id ?? null;
    },

    /** Null when they cannot be read: then no charge has a price by them. */
    async termsOf(id: number): Promise<Tariff | null> {
      const terms = ['price', 'hours', 'discount', 'idle'] as const;
      const row = await db.selectFrom('tariffs').select(terms).where('id', '=', id).executeTakeFirst();
      return Tariff.safeParse(row).data ?? null;
    },

    async putTariff({ name, price, hours, discount, idle }: CatalogueTariff): Promise<number> {
      const values = {
        price,
        hours: hours ? JSON.stringify(hours) : null,
        discount: discount ? JSON.stringify(discount) : null,
        idle: idle ? JSON.stringify(idle) : null,
      };
      const { id } = await db
        .insertInto('tariffs')
        .values({ name, ...values })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** An existing tariff of this name stays as it is. */
    async addTariff(name: string, price: number): Promise<void> {
      await db
        .insertInto('tariffs')
        .values({ name, price })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    connectorAt: (chargePoint: number, ocppConnector: number) =>
      db
        .selectFrom('connectors')
        .innerJoin('stations', 'stations.id', 'connectors.station_id')
        .select([
          'connectors.id',
          'connectors.station_id',
          'connectors.removed_at',
          'connectors.tariff_id',
          'stations.number',
        ])
        .where('connectors.charge_point_id', '=', chargePoint)
        .where('connectors.ocpp_connector', '=', ocppConnector)
        .executeTakeFirst(),

    async addConnector(
      place: { station: number; chargePoint: number; ocppConnector: number },
      connector: CatalogueConnector,
    ): Promise<number> {
      const { station, chargePoint, ocppConnector } = place;
      const { id } = await db
        .insertInto('connectors')
        .values({ station_id: station, charge_point_id: chargePoint, ocpp_connector: ocppConnector, ...connector })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** A removed connector comes back, perhaps at another station. */
    async changeConnector(id: number, station: number, connector: CatalogueConnector): Promise<void> {
      const values = { ...connector, station_id: station, removed_at: null };
      await db.updateTable('connectors').set(values).where('id', '=', id).execute();
    },

    /** Its history stays, and virtual stations no longer list it. */
    async removeConnectors(ids: readonly number[], now: Date): Promise<void> {
      if (ids.length === 0) return;
      await db.updateTable('connectors').set({ removed_at: now }).where('id', 'in', ids).execute();
      await db.deleteFrom('virtual_station_connectors').where('connector_id', 'in', ids).execute();
    },

    presentConnectors: (station: number) =>
      db
        .selectFrom('connectors')
        .selectAll()
        .where('station_id', '=', station)
        .where('removed_at', 'is', null)
        .orderBy('id')
        .execute(),

    /** What only the page of the station shows. */
    async describeStation(id: number, details: { note: string | null; openingHours: object | null; changedAt: Date }) {
      const { note, openingHours, changedAt } = details;
      await db
        .updateTable('stations')
        .set({ note, opening_hours: openingHours && JSON.stringify(openingHours), changed_at: changedAt })
        .where('id', '=', id)
        .execute();
    },

    async setRetired(id: number, at: Date | null, changedAt: Date): Promise<void> {
      await db.updateTable('stations').set({ retired_at: at, changed_at: changedAt }).where('id', '=', id).execute();
    },

    /** The connectors of a virtual station are listed again from the first. */
    async unlistConnectors(virtualStation: number): Promise<void> {
      await db.deleteFrom('virtual_station_connectors').where('station_id', '=', virtualStation).execute();
    },

    async linkOf(station: number): Promise<string | null> {
      const row = await db
        .selectFrom('links')
        .select('code')
        .where('station_id', '=', station)
        .orderBy('code')
        .executeTakeFirst();
      return row?.code ?? null;
    },

    async linkTarget(code: string): Promise<number | null> {
      const row = await db.selectFrom('links').select('station_id').where('code', '=', code).executeTakeFirst();
      return row?.station_id ?? null;
    },

    /** An existing code leads to this station from now on. Returns where it led before; null without such a code. */
    async pointLink(code: string, station: number): Promise<number | null> {
      const before = await db
        .selectFrom('links')
        .select('station_id')
        .where('code', '=', code)
        .forUpdate()
        .executeTakeFirst();
      await db.updateTable('links').set({ station_id: station }).where('code', '=', code).execute();
      return before?.station_id ?? null;
    },

    /** Adds a connector to a virtual station, after the existing ones. */
    async listConnector(virtualStation: number, connector: number): Promise<void> {
      await db
        .insertInto('virtual_station_connectors')
        .values((of) => ({
          station_id: virtualStation,
          connector_id: connector,
          position: of
            .selectFrom('virtual_station_connectors')
            .select((last) => last.fn.coalesce(last(last.fn.max('position'), '+', 1), last.lit(0)).as('next'))
            .where('station_id', '=', virtualStation),
        }))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Returns the station that the code leads to; it is another station when the code was taken. */
    async putLink(station: number, code: string): Promise<number> {
      await db
        .insertInto('links')
        .values({ code, station_id: station })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { station_id } = await db
        .selectFrom('links')
        .select('station_id')
        .where('code', '=', code)
        .executeTakeFirstOrThrow();
      return station_id;
    },
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** Connectors with their station and price, in the order of their devices. */
export function selectCatalogue(db: Database) {
  return db
    .selectFrom('connectors')
    .innerJoin('stations', 'stations.id', 'connectors.station_id')
    .leftJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
    .select([
      'connectors.id',
      'connectors.charge_point_id',
      'connectors.ocpp_connector',
      'connectors.type',
      'connectors.power_w',
      'stations.number',
      'tariffs.price',
    ])
    .orderBy('connectors.charge_point_id')
    .orderBy('connectors.ocpp_connector');
}

/** Everything that the network consists of, for an export. */
export async function readCatalogue(db: Database) {
  const [tariffs, stations, connectors, listed, links] = await Promise.all([
    db.selectFrom('tariffs').selectAll().orderBy('name').execute(),
    db.selectFrom('stations').selectAll().where('retired_at', 'is', null).orderBy('number').execute(),
    db.selectFrom('connectors').selectAll().where('removed_at', 'is', null).orderBy('ocpp_connector').execute(),
    db.selectFrom('virtual_station_connectors').selectAll().orderBy('position').execute(),
    db.selectFrom('links').selectAll().orderBy('code').execute(),
  ]);
  return { tariffs, stations, connectors, listed, links };
}
