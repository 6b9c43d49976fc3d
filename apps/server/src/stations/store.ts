import type { Database } from '../platform/database.ts';
import { factsOf, inPlace, selectConnectors } from './connector-rows.ts';
import type { ConnectorFacts } from './connector-status.ts';
import type { Charge } from './progress.ts';
import type { Promotion } from './promotion.ts';

export interface StationRow {
  id: number;
  number: string;
  address: string;
  addressUk: string;
  lat: number;
  lon: number;
  chunk: string;
  isVirtual: boolean;
  /** The closed party whose members alone may see it; null: anyone. */
  closedPartyId: number | null;
}

export interface ConnectorRow {
  id: number;
  stationId: number;
  chargePointId: number;
  ocppConnector: number;
  type: string;
  powerW: number;
  hasCable: boolean;
  facts: ConnectorFacts;
  /** Of its real station, where a virtual one lists it. */
  homeNumber?: string;
  /** As stored; whether it can be read is for the tariff to say. */
  tariff: unknown;
  /** Of the open operation, once power flows. */
  charge: Charge | null;
}

/** Stations and all that hangs on them. Reading only: devices' words come in by `device-states.ts`, new stations by `network`. */
export function createStationStore(db: Database) {
  function stations() {
    return db
      .selectFrom('stations')
      .leftJoin('parties', (join) =>
        join.onRef('parties.id', '=', 'stations.party_id').on('parties.is_closed', '=', true),
      )
      .select([
        'stations.id',
        'stations.number',
        'stations.address',
        'stations.address_uk as addressUk',
        'stations.lat',
        'stations.lon',
        'stations.chunk',
        'stations.is_virtual as isVirtual',
        'parties.id as closedPartyId',
      ]);
  }

  function connectors() {
    return selectConnectors(db)
      .leftJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
      .select([
        'connectors.power_w',
        'connectors.has_cable',
        'tariffs.price',
        'tariffs.hours',
        'tariffs.discount',
        'operations.energy_wh',
        'operations.energy_limit_wh',
        'operations.power_w as present_power_w',
        'operations.soc',
      ]);
  }

  return {
    async byNumber(number: string): Promise<StationRow | null> {
      return (await stations().where('stations.number', '=', number).executeTakeFirst()) ?? null;
    },

    async byNumbers(numbers: string[]): Promise<StationRow[]> {
      if (numbers.length === 0) return [];
      return stations().where('stations.number', 'in', numbers).orderBy('stations.id').execute();
    },

    async byIds(ids: number[]): Promise<StationRow[]> {
      if (ids.length === 0) return [];
      return stations().where('stations.id', 'in', ids).orderBy('stations.id').execute();
    },

    async byLink(code: string): Promise<StationRow | null> {
      const found = await stations()
        .innerJoin('links', 'links.station_id', 'stations.id')
        .where('links.code', '=', code)
        .executeTakeFirst();
      return found ?? null;
    },

    async connectorsOf(stationIds: number[]): Promise<ConnectorRow[]> {
      if (stationIds.length === 0) return [];
      const rows = await connectors().where('connectors.station_id', 'in', stationIds).execute();
      return rows.sort(inPlace).map(connectorOf);
    },

    async connectorsListedBy(virtualStationId: number): Promise<ConnectorRow[]> {
      const rows = await connectors()
        .innerJoin('virtual_station_connectors as listed', 'listed.connector_id', 'connectors.id')
        .where('listed.station_id', '=', virtualStationId)
        .orderBy('listed.position')
        .orderBy('connectors.id')
        .execute();
      return rows.map(connectorOf);
    },

    async connector(id: number): Promise<ConnectorRow | null> {
      const row = await connectors().where('connectors.id', '=', id).executeTakeFirst();
      return row ? connectorOf(row) : null;
    },

    /** The closed party this user is in, if any. */
    async closedPartyOf(userId: number): Promise<number | null> {
      const row = await db
        .selectFrom('party_members')
        .innerJoin('parties', 'parties.id', 'party_members.party_id')
        .select('parties.id')
        .where('party_members.user_id', '=', userId)
        .where('parties.is_closed', '=', true)
        .executeTakeFirst();
      return row?.id ?? null;
    },

    async promotions(): Promise<Promotion[]> {
      const rows = await db.selectFrom('promotions').selectAll().orderBy('id').execute();
      return rows.map(({ code, kind, station_id, from_day, to_day }) => ({
        code,
        kind: kind as Promotion['kind'],
        stationId: station_id,
        days: from_day !== null && to_day !== null ? { from: from_day, to: to_day } : null,
      }));
    },
  };

  type Row = Awaited<ReturnType<ReturnType<typeof connectors>['executeTakeFirstOrThrow']>>;

  function connectorOf(row: Row): ConnectorRow {
    const facts = factsOf(row);
    const isCharging = facts.operationStatus === 'ongoing' || facts.operationStatus === 'finishing';
    return {
      id: row.id,
      stationId: row.station_id,
      chargePointId: row.charge_point_id,
      ocppConnector: row.ocpp_connector,
      type: row.type,
      powerW: row.power_w,
      hasCable: row.has_cable,
      facts,
      tariff: row.price === null ? null : { price: row.price, hours: row.hours, discount: row.discount },
      charge: isCharging
        ? {
            energyWh: row.energy_wh ?? 0,
            limitWh: row.energy_limit_wh,
            powerW: row.present_power_w,
            soc: row.soc,
          }
        : null,
    };
  }
}

export type StationStore = ReturnType<typeof createStationStore>;
