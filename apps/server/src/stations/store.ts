import { chargingStatuses, isAmong } from '@fpay/contract/charging';
import type { ConnectorType } from '@fpay/contract/connectors';
import { sql } from 'kysely';
import type { Side } from '../party/membership.ts';
import { closedParties } from '../party/store.ts';
import type { Database } from '../platform/database.ts';
import { kyivDate } from '../platform/kyiv-time.ts';
import type { Step } from '../platform/step.ts';
import { factsOf, inPlace, selectConnectors } from './connector-rows.ts';
import type { ConnectorFacts } from './connector-status.ts';
import { type MaintenanceWindow, openWindows } from './maintenance-windows.ts';
import { createPhotoStore, type PhotoStore } from './photos.ts';
import type { ChargeFacts } from './progress.ts';
import type { PromotionRule } from './promotion.ts';

/** Stations and their connectors, read only. What is not there is left out or null; nothing is refused. */
export interface StationStore {
  byNumber(number: string): Promise<StoredStation | null>;
  byNumbers(numbers: string[]): Promise<StoredStation[]>;
  byParty(partyId: number): Promise<StoredStation[]>;
  /** The nearest real stations within some 30 km, nearest first. */
  near(place: { lat: number; lon: number }, most: number): Promise<StoredStation[]>;
  byIds(ids: number[]): Promise<StoredStation[]>;
  byLink(code: string): Promise<StoredStation | null>;
  connectorsOf(stationIds: number[]): Promise<StoredConnector[]>;
  /** Connectors of other stations that a virtual station lists. */
  connectorsListedBy(virtualStationId: number): Promise<StoredConnector[]>;
  connector(id: number): Promise<StoredConnector | null>;
  /** The closed party this user is in, if any. */
  /** The closed parties of the stations that this charge point belongs to. */
  closedPartiesAt(step: Step, chargePoint: number): Promise<Side[]>;
  /** Without those that wait for a second staff member. */
  promotions(at: Date): Promise<PromotionRule[]>;
  photos: PhotoStore;
  /** Work that goes on or is planned at these stations. */
  maintenance(stationIds: readonly number[]): Promise<MaintenanceWindow[]>;
}

export interface StoredStation {
  id: number;
  number: string;
  address: string;
  addressUk: string;
  lat: number;
  lon: number;
  chunk: string;
  isVirtual: boolean;
  note: string | null;
  /** As stored; null for a station that is open round the clock. */
  openingHours: unknown;
  /** The closed party whose members only may see it; null for all users. */
  closedPartyId: Side;
}

export interface StoredConnector {
  id: number;
  stationId: number;
  chargePointId: number;
  ocppConnector: number;
  type: ConnectorType;
  powerW: number;
  hasCable: boolean;
  facts: ConnectorFacts;
  /** The number of its real station, where a virtual one lists it. */
  homeNumber?: string;
  /** As stored; `readTariff` decides whether it is valid. */
  tariff: unknown;
  /** Facts of the open operation, once power flows. */
  charge: ChargeFacts | null;
}

/**
 * Reads stations and their connectors, without retired ones. Reports of devices are written by `device-states.ts`, new stations by `network`.
 */
export function createStationStore(db: Database): StationStore {
  function stations() {
    return db
      .selectFrom('stations')
      .leftJoin(closedParties(db).as('closed'), 'closed.id', 'stations.party_id')
      .select([
        'stations.id',
        'stations.number',
        'stations.address',
        'stations.address_uk as addressUk',
        'stations.lat',
        'stations.lon',
        'stations.chunk',
        'stations.is_virtual as isVirtual',
        'stations.note',
        'stations.opening_hours as openingHours',
        'closed.id as closedPartyId',
      ])
      .where('stations.retired_at', 'is', null);
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
        'tariffs.idle',
        'operations.energy_wh',
        'operations.energy_limit_wh',
        'operations.power_w as present_power_w',
        'operations.soc',
      ]);
  }

  return {
    photos: createPhotoStore(db),

    async byNumber(number: string): Promise<StoredStation | null> {
      return (await stations().where('stations.number', '=', number).executeTakeFirst()) ?? null;
    },

    async byNumbers(numbers: string[]): Promise<StoredStation[]> {
      if (numbers.length === 0) return [];
      return stations().where('stations.number', 'in', numbers).orderBy('stations.id').execute();
    },

    async byIds(ids: number[]): Promise<StoredStation[]> {
      if (ids.length === 0) return [];
      return stations().where('stations.id', 'in', ids).orderBy('stations.id').execute();
    },

    async byParty(partyId: number): Promise<StoredStation[]> {
      return stations()
        .where('stations.party_id', '=', partyId)
        .where('stations.is_virtual', '=', false)
        .orderBy('stations.number')
        .execute();
    },

    async near({ lat, lon }: { lat: number; lon: number }, most: number): Promise<StoredStation[]> {
      const reach = 0.3;
      // A degree of longitude is shorter than one of latitude, by the cosine.
      const shrink = Math.max(0.1, Math.cos((lat * Math.PI) / 180));
      return stations()
        .where('stations.is_virtual', '=', false)
        .where('stations.lat', '>', lat - reach)
        .where('stations.lat', '<', lat + reach)
        .where('stations.lon', '>', lon - reach / shrink)
        .where('stations.lon', '<', lon + reach / shrink)
        .orderBy(sql`(stations.lat - ${lat}::float8) ^ 2 + ((stations.lon - ${lon}::float8) * ${shrink}::float8) ^ 2`)
        .limit(most)
        .execute();
    },

    async byLink(code: string): Promise<StoredStation | null> {
      const found = await stations()
        .innerJoin('links', 'links.station_id', 'stations.id')
        .where('links.code', '=', code)
        .executeTakeFirst();
      return found ?? null;
    },

    async connectorsOf(stationIds: number[]): Promise<StoredConnector[]> {
      if (stationIds.length === 0) return [];
      const rows = await connectors().where('connectors.station_id', 'in', stationIds).execute();
      return rows.sort(inPlace).map(connectorOf);
    },

    async connectorsListedBy(virtualStationId: number): Promise<StoredConnector[]> {
      const rows = await connectors()
        .innerJoin('virtual_station_connectors as listed', 'listed.connector_id', 'connectors.id')
        .where('listed.station_id', '=', virtualStationId)
        .orderBy('listed.position')
        .orderBy('connectors.id')
        .execute();
      return rows.map(connectorOf);
    },

    async connector(id: number): Promise<StoredConnector | null> {
      const row = await connectors().where('connectors.id', '=', id).executeTakeFirst();
      return row ? connectorOf(row) : null;
    },

    /** Of the stations that this device belongs to: whose they are, if they are closed. */
    async closedPartiesAt(step: Step, chargePoint: number): Promise<Side[]> {
      const rows = await step.db
        .selectFrom('connectors')
        .innerJoin('stations', 'stations.id', 'connectors.station_id')
        .innerJoin(closedParties(step.db).as('closed'), 'closed.id', 'stations.party_id')
        .select('closed.id')
        .distinct()
        .where('connectors.charge_point_id', '=', chargePoint)
        .execute();
      return rows.map(({ id }) => id);
    },

    maintenance: (stationIds) => openWindows(db, stationIds),

    async promotions(at: Date): Promise<PromotionRule[]> {
      const rows = await db
        .selectFrom('promotions')
        .leftJoin('promotion_days', (join) =>
          join
            .onRef('promotion_days.promotion_id', '=', 'promotions.id')
            .on('promotion_days.day', '=', sql<Date>`${kyivDate(at)}::date`),
        )
        .selectAll('promotions')
        .select('promotion_days.paid')
        .where('promotions.is_waiting', '=', false)
        .orderBy('promotions.id')
        .execute();
      return rows.map(({ code, kind, station_id, from_day, to_day, terms, budget_per_day, paid }) => ({
        code,
        kind: kind as PromotionRule['kind'],
        stationId: station_id,
        days: from_day !== null && to_day !== null ? { from: from_day, to: to_day } : null,
        ...(kind === 'reward' && { reward: { terms, budgetPerDay: budget_per_day, paidToday: paid ?? 0 } }),
      }));
    },
  };

  type Row = Awaited<ReturnType<ReturnType<typeof connectors>['executeTakeFirstOrThrow']>>;

  function connectorOf(row: Row): StoredConnector {
    const facts = factsOf(row);
    const isCharging = isAmong(chargingStatuses, facts.operationStatus);
    return {
      id: row.id,
      stationId: row.station_id,
      chargePointId: row.charge_point_id,
      ocppConnector: row.ocpp_connector,
      type: row.type,
      powerW: row.power_w,
      hasCable: row.has_cable,
      facts,
      tariff:
        row.price === null ? null : { price: row.price, hours: row.hours, discount: row.discount, idle: row.idle },
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
