import { type ConnectorStatus, type ConnectorType, isConnectorType } from '@fpay/contract/connectors';
import { watts } from '@fpay/contract/money';
import type {
  Chunk,
  Connector,
  ConnectorState,
  Promotion as PromotionOnWire,
  Station,
  StationPage,
} from '@fpay/contract/stations';
import type { Clock } from '../platform/clock.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import { chunkPlace } from './chunk.ts';
import { isStationOnline } from './connection.ts';
import { connectorStatus } from './connector-status.ts';
import { noProgress, progressOf } from './progress.ts';
import { bannerOf, isRunning } from './promotion.ts';
import type { ConnectorRow, StationRow, StationStore } from './store.ts';
import { type Price, priceAt, readTariff } from './tariff.ts';

interface Dependencies {
  stations: StationStore;
  clock: Clock;
}

/** A connector as one who is about to charge there finds it. */
export interface ConnectorToCharge extends Price {
  id: number;
  type: ConnectorType;
  status: ConnectorStatus;
  /** What the status would be without the operation that has the connector: for the driver whose own it is. */
  statusWithoutOperation: ConnectorStatus;
  powerW: number;
  ocppConnector: number;
  chargePointId: number;
  station: StationRow;
}

export function createStationService({ stations, clock }: Dependencies) {
  async function closedPartyOf(viewer: Viewer | null): Promise<number | null> {
    return viewer ? stations.closedPartyOf(viewer.id) : null;
  }

  /** The one rule of closed parties, for every read: their stations are there for their members alone. */
  function isVisible({ closedPartyId }: StationRow, partyId: number | null): boolean {
    return closedPartyId === null || closedPartyId === partyId;
  }

  /** Real and virtual stations have pages of their own, so a number of the other kind is not found. */
  async function findFor(viewer: Viewer | null, number: string, kind: 'real' | 'virtual') {
    const station = await stations.byNumber(number);
    if (!station || station.isVirtual !== (kind === 'virtual')) throw new Refusal('not_found');
    const partyId = await closedPartyOf(viewer);
    if (!isVisible(station, partyId)) throw new Refusal('closed_station');
    return { station, connectors: await connectorsOf(station, partyId) };
  }

  async function connectorsOf(station: StationRow, partyId: number | null): Promise<ConnectorRow[]> {
    if (!station.isVirtual) return known(await stations.connectorsOf([station.id]));
    const listed = known(await stations.connectorsListedBy(station.id));
    const homes = await stations.byIds([...new Set(listed.map(({ stationId }) => stationId))]);
    const numbers = new Map(homes.filter((home) => isVisible(home, partyId)).map(({ id, number }) => [id, number]));
    return listed.flatMap((connector) => {
      const homeNumber = numbers.get(connector.stationId);
      return homeNumber === undefined ? [] : [{ ...connector, homeNumber }];
    });
  }

  function stationOf(row: StationRow, connectors: ConnectorRow[], at: Date): Station {
    const isOnline = isStationOnline(connectors.map(({ facts }) => facts));
    return {
      id: row.id,
      number: row.number,
      address: row.address,
      address_uk: row.addressUk,
      lat: row.lat,
      lon: row.lon,
      is_online: isOnline,
      connectors: isOnline ? connectors.map((connector) => connectorOf(connector, at)) : [],
    };
  }

  async function page(viewer: Viewer | null, number: string, kind: 'real' | 'virtual'): Promise<StationPage> {
    const { station, connectors } = await findFor(viewer, number, kind);
    const at = clock.now();
    return { ...stationOf(station, connectors, at), promo: bannerOf(await stations.promotions(), station.id, at) };
  }

  async function states(viewer: Viewer | null, number: string, kind: 'real' | 'virtual'): Promise<ConnectorState[]> {
    const { connectors } = await findFor(viewer, number, kind);
    return connectors.map(stateOf);
  }

  return {
    closedPartyOf,
    station: (viewer: Viewer | null, number: string) => page(viewer, number, 'real'),
    virtualStation: (viewer: Viewer | null, number: string) => page(viewer, number, 'virtual'),
    connectors: (viewer: Viewer | null, number: string) => states(viewer, number, 'real'),
    virtualConnectors: (viewer: Viewer | null, number: string) => states(viewer, number, 'virtual'),

    async chunk(viewer: Viewer | null, numbers: string[]): Promise<Chunk | { stations: never[] }> {
      const partyId = await closedPartyOf(viewer);
      const found = await stations.byNumbers([...new Set(numbers)]);
      const visible = found.filter((station) => !station.isVirtual && isVisible(station, partyId));
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

    async link(viewer: Viewer | null, code: string): Promise<{ station_number: string; is_virtual: boolean }> {
      const station = await stations.byLink(code);
      if (!station) throw new Refusal('not_found');
      if (!isVisible(station, await closedPartyOf(viewer))) throw new Refusal('closed_station');
      return { station_number: station.number, is_virtual: station.isVirtual };
    },

    async promotions(viewer: Viewer | null): Promise<PromotionOnWire[]> {
      const at = clock.now();
      const running = (await stations.promotions()).filter((promotion) => isRunning(promotion, at));
      const partyId = await closedPartyOf(viewer);
      const homes = await stations.byIds(running.flatMap(({ stationId }) => stationId ?? []));
      const visible = new Map(homes.filter((home) => isVisible(home, partyId)).map(({ id, number }) => [id, number]));
      return running
        .filter(({ stationId }) => stationId === null || visible.has(stationId))
        .map(({ code, kind, stationId }) => ({
          code,
          kind,
          station_number: stationId === null ? null : (visible.get(stationId) ?? null),
        }));
    },

    /** For whoever starts a charge: the price of this moment, or a refusal; never a station the user may not use. */
    async connectorToCharge(viewer: Viewer, connectorId: number): Promise<ConnectorToCharge> {
      const row = await stations.connector(connectorId);
      if (!row || !isConnectorType(row.type)) throw new Refusal('not_found');
      const [station] = await stations.byIds([row.stationId]);
      if (!station) throw new Refusal('not_found');
      if (!isVisible(station, await closedPartyOf(viewer))) throw new Refusal('closed_station');
      return {
        id: row.id,
        type: row.type,
        status: connectorStatus(row.facts),
        statusWithoutOperation: connectorStatus({ ...row.facts, operationStatus: null }),
        powerW: row.powerW,
        ocppConnector: row.ocppConnector,
        chargePointId: row.chargePointId,
        station,
        ...priceAt(readTariff(row.tariff), clock.now()),
      };
    },
  };
}

export type StationService = ReturnType<typeof createStationService>;

/** A type we do not know has no name, no picture and no price to be trusted: it is not shown. */
function known(connectors: ConnectorRow[]): ConnectorRow[] {
  return connectors.filter(({ type }) => isConnectorType(type));
}

function stateOf(row: ConnectorRow): ConnectorState {
  const { percent, secondsLeft } = row.charge ? progressOf(row.charge) : noProgress;
  return {
    id: row.id,
    api_address: String(row.ocppConnector),
    charging_station_id: row.stationId,
    status: connectorStatus(row.facts),
    progress: percent,
    time_left: secondsLeft,
  };
}

function connectorOf(row: ConnectorRow, at: Date): Connector {
  const { price, oldPrice, discountText } = priceAt(readTariff(row.tariff), at);
  return {
    ...stateOf(row),
    type: row.type as ConnectorType,
    has_cable: row.hasCable,
    power: watts(row.powerW),
    price,
    old_price: oldPrice,
    discount_string: discountText,
    ...(row.homeNumber && { station_number: row.homeNumber }),
  };
}
