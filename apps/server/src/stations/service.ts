import { type ConnectorStatus, type ConnectorType, isConnectorType } from '@fpay/contract/connectors';
import type { ReplyOf } from '@fpay/contract/endpoint';
import type { IdleFee } from '@fpay/contract/idle-fee';
import {
  type Chunk,
  type ConnectorState,
  type getAlternatives,
  OpeningHours,
  type Promotion as PromotionOnWire,
  type Station,
  type StationPage,
} from '@fpay/contract/stations';
import { isVisible, type Side } from '../party/membership.ts';
import type { PartyStore } from '../party/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import { findAlternatives, type WithoutRoom } from './alternatives.ts';
import { announced, isAbout } from './announced-work.ts';
import { chunkPlace } from './chunk.ts';
import { isStationOnline } from './connection.ts';
import { connectorStatus } from './connector-status.ts';
import { connectorState, connectorView } from './connector-view.ts';
import { bannerOf, isRunning, rewardOf } from './promotion.ts';
import type { StationStore, StoredConnector, StoredStation } from './store.ts';
import { idleFeeAt, type PriceAt, priceAt, readTariff } from './tariff.ts';

/** What may be asked about stations. A station of a closed party exists for its members alone. */
export interface StationService {
  /** The closed party that the viewer is in; null without one. */
  closedPartyOf(viewer: Viewer | null): Promise<Side>;
  /** @refuses not_found, closed_station, pricing_unavailable */
  station(viewer: Viewer | null, number: string): Promise<StationPage>;
  /** @refuses not_found, closed_station, pricing_unavailable */
  virtualStation(viewer: Viewer | null, number: string): Promise<StationPage>;
  /** @refuses not_found, closed_station */
  connectors(viewer: Viewer | null, number: string): Promise<ConnectorState[]>;
  /** @refuses not_found, closed_station */
  virtualConnectors(viewer: Viewer | null, number: string): Promise<ConnectorState[]>;
  /**
   * The ids of the real stations whose connectors the page of this number lists, for a page that waits for their changes.
   * @refuses not_found, closed_station
   */
  listedStations(viewer: Viewer, number: string): Promise<number[]>;
  /**
   * Several stations at one place; those that the viewer may not see are left out.
   * @refuses pricing_unavailable
   */
  chunk(viewer: Viewer | null, numbers: string[]): Promise<Chunk | { stations: never[] }>;
  /**
   * The station behind the code of a printed link.
   * @refuses not_found, closed_station
   */
  link(viewer: Viewer | null, code: string): Promise<{ station_number: string; is_virtual: boolean }>;
  /** Numbers that look alike and the nearest free connectors, of stations that the viewer may see. */
  alternatives(viewer: Viewer | null, asked: AskedAlternatives): Promise<ReplyOf<typeof getAlternatives>>;
  promotions(viewer: Viewer | null): Promise<PromotionOnWire[]>;
  /** The stations of a party, for its members. */
  ofParty(partyId: number): Promise<Station[]>;
  /**
   * The id of a station where this user may bind a card; null when there is none with this number.
   * @refuses closed_station
   */
  idFor(viewer: Viewer, number: string): Promise<number | null>;
  /**
   * For the start of a charge: the current price, or a refusal; never a station that the user may not use.
   * @refuses not_found, closed_station, pricing_unavailable
   */
  connectorToCharge(viewer: Viewer, connectorId: number): Promise<ConnectorToCharge>;
}

export interface AskedAlternatives {
  number: string;
  type?: ConnectorType | undefined;
  /** `lat,lon` */
  near?: string | undefined;
}

interface Dependencies {
  stations: StationStore;
  parties: Pick<PartyStore, 'closedPartyOf'>;
  clock: Clock;
  withoutRoom?: WithoutRoom | undefined;
}

const allHaveRoom: WithoutRoom = async () => new Set();

/** A connector as a driver who is about to charge there sees it. */
export interface ConnectorToCharge extends PriceAt {
  id: number;
  /** Null when there is no idle fee, also for a free charge, which has no deposit to take it from. */
  idle: IdleFee | null;
  type: ConnectorType;
  status: ConnectorStatus;
  /** The status without the operation that has the connector, for the driver who owns that operation. */
  statusWithoutOperation: ConnectorStatus;
  powerW: number;
  ocppConnector: number;
  chargePointId: number;
  station: StoredStation;
}

export function createStationService({
  stations,
  parties,
  clock,
  withoutRoom = allHaveRoom,
}: Dependencies): StationService {
  async function closedPartyOf(viewer: Viewer | null): Promise<Side> {
    return viewer ? parties.closedPartyOf(viewer.id) : null;
  }

  /** Real and virtual stations have separate pages, so a number of the other kind is not found. */
  async function findFor(viewer: Viewer | null, number: string, kind: 'real' | 'virtual') {
    const station = await stations.byNumber(numberOf(number));
    if (!station || station.isVirtual !== (kind === 'virtual')) throw new Refusal('not_found');
    const partyId = await closedPartyOf(viewer);
    if (!isVisible(station.closedPartyId, partyId)) throw new Refusal('closed_station');
    return { station, connectors: await connectorsOf(station, partyId) };
  }

  async function connectorsOf(station: StoredStation, partyId: Side): Promise<StoredConnector[]> {
    if (!station.isVirtual) return known(await stations.connectorsOf([station.id]));
    const listed = known(await stations.connectorsListedBy(station.id));
    const homes = await stations.byIds([...new Set(listed.map(({ stationId }) => stationId))]);
    const numbers = numbersOfVisible(homes, partyId);
    return listed.flatMap((connector) => {
      const homeNumber = numbers.get(connector.stationId);
      return homeNumber === undefined ? [] : [{ ...connector, homeNumber }];
    });
  }

  function stationOf(row: StoredStation, connectors: StoredConnector[], at: Date): Station {
    const isOnline = isStationOnline(connectors.map(({ facts }) => facts));
    return {
      id: row.id,
      number: row.number,
      address: row.address,
      address_uk: row.addressUk,
      lat: row.lat,
      lon: row.lon,
      is_online: isOnline,
      connectors: isOnline ? connectors.map((connector) => connectorView(connector, at)) : [],
    };
  }

  async function page(viewer: Viewer | null, number: string, kind: 'real' | 'virtual'): Promise<StationPage> {
    const { station, connectors } = await findFor(viewer, number, kind);
    const at = clock.now();
    const atWork = await stations.maintenance([
      ...new Set([station.id, ...connectors.map(({ stationId }) => stationId)]),
    ]);
    const promotions = await stations.promotions(at);
    return {
      ...stationOf(station, connectors, at),
      promo: bannerOf(promotions, station.id, at),
      reward: rewardOf(promotions, station.id, at),
      note: station.note,
      opening_hours: OpeningHours.safeParse(station.openingHours).data ?? null,
      maintenance: atWork.filter((window) => window.isActive && isAbout(window, station, connectors)).map(announced),
      photos: await stations.photos.of(station.id),
    };
  }

  async function states(viewer: Viewer | null, number: string, kind: 'real' | 'virtual'): Promise<ConnectorState[]> {
    const { connectors } = await findFor(viewer, number, kind);
    return connectors.map(connectorState);
  }

  return {
    closedPartyOf,
    station: (viewer: Viewer | null, number: string) => page(viewer, number, 'real'),
    virtualStation: (viewer: Viewer | null, number: string) => page(viewer, number, 'virtual'),
    connectors: (viewer: Viewer | null, number: string) => states(viewer, number, 'real'),
    virtualConnectors: (viewer: Viewer | null, number: string) => states(viewer, number, 'virtual'),

    async listedStations(viewer: Viewer, number: string): Promise<number[]> {
      const station = await stations.byNumber(numberOf(number));
      if (!station) throw new Refusal('not_found');
      const { connectors } = await findFor(viewer, number, station.isVirtual ? 'virtual' : 'real');
      return [...new Set(connectors.map(({ stationId }) => stationId))];
    },

    async chunk(viewer: Viewer | null, numbers: string[]): Promise<Chunk | { stations: never[] }> {
      const partyId = await closedPartyOf(viewer);
      const found = await stations.byNumbers([...new Set(numbers)]);
      const visible = found.filter((station) => !station.isVirtual && isVisible(station.closedPartyId, partyId));
      const [first] = visible;
      if (!first) return { stations: [] };
      const connectors = Map.groupBy(
        known(await stations.connectorsOf(visible.map(({ id }) => id))),
        ({ stationId }) => stationId,
      );
      const at = clock.now();
      return {
        address: first.address,
        address_uk: first.addressUk,
        ...chunkPlace(first.chunk),
        stations: visible.map((station) => stationOf(station, connectors.get(station.id) ?? [], at)),
      };
    },

    async ofParty(partyId: number): Promise<Station[]> {
      const rows = await stations.byParty(partyId);
      const byStation = Map.groupBy(
        known(await stations.connectorsOf(rows.map(({ id }) => id))),
        ({ stationId }) => stationId,
      );
      const at = clock.now();
      return rows.map((row) => stationOf(row, byStation.get(row.id) ?? [], at));
    },

    async link(viewer: Viewer | null, code: string): Promise<{ station_number: string; is_virtual: boolean }> {
      const station = await stations.byLink(code);
      if (!station) throw new Refusal('not_found');
      if (!isVisible(station.closedPartyId, await closedPartyOf(viewer))) throw new Refusal('closed_station');
      return { station_number: station.number, is_virtual: station.isVirtual };
    },

    async idFor(viewer: Viewer, number: string): Promise<number | null> {
      const station = await stations.byNumber(number);
      if (!station || station.isVirtual) return null;
      if (!isVisible(station.closedPartyId, await closedPartyOf(viewer))) throw new Refusal('closed_station');
      return station.id;
    },

    async alternatives(viewer: Viewer | null, { number, type, near }: AskedAlternatives) {
      const [lat = 0, lon = 0] = (near ?? '').split(',').map(Number);
      const asked = {
        number: numberOf(number),
        type: type ?? null,
        near: near === undefined ? null : { lat, lon },
        at: clock.now(),
      };
      return findAlternatives(stations, await closedPartyOf(viewer), asked, withoutRoom);
    },

    async promotions(viewer: Viewer | null): Promise<PromotionOnWire[]> {
      const at = clock.now();
      const running = (await stations.promotions(at)).filter((promotion) => isRunning(promotion, at));
      const partyId = await closedPartyOf(viewer);
      const homes = await stations.byIds(running.flatMap(({ stationId }) => stationId ?? []));
      const visible = numbersOfVisible(homes, partyId);
      return running
        .filter(({ stationId }) => stationId === null || visible.has(stationId))
        .map(({ code, kind, stationId }) => ({
          code,
          kind,
          station_number: stationId === null ? null : (visible.get(stationId) ?? null),
        }));
    },

    async connectorToCharge(viewer: Viewer, connectorId: number): Promise<ConnectorToCharge> {
      const row = await stations.connector(connectorId);
      if (!row || !isConnectorType(row.type)) throw new Refusal('not_found');
      const [station] = await stations.byIds([row.stationId]);
      if (!station) throw new Refusal('not_found');
      if (!isVisible(station.closedPartyId, await closedPartyOf(viewer))) throw new Refusal('closed_station');
      const tariff = readTariff(row.tariff);
      const priced = priceAt(tariff, clock.now());
      return {
        id: row.id,
        type: row.type,
        status: connectorStatus(row.facts),
        statusWithoutOperation: connectorStatus({ ...row.facts, operationStatus: null }),
        powerW: row.powerW,
        ocppConnector: row.ocppConnector,
        chargePointId: row.chargePointId,
        station,
        ...priced,
        idle: idleFeeAt(tariff, priced.price),
      };
    },
  };
}

/** People type f1400 for F1400. */
function numberOf(typed: string): string {
  return typed.trim().toUpperCase();
}

function numbersOfVisible(stations: StoredStation[], partyId: Side): Map<number, string> {
  const visible = stations.filter(({ closedPartyId }) => isVisible(closedPartyId, partyId));
  return new Map(visible.map(({ id, number }) => [id, number]));
}

/** An unknown type has no name, no picture and no reliable price, so it is not shown. */
function known(connectors: StoredConnector[]): StoredConnector[] {
  return connectors.filter(({ type }) => isConnectorType(type));
}
