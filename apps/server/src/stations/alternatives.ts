import { type ConnectorType, isConnectorType } from '@fpay/contract/connectors';
import type { FreeConnector } from '@fpay/contract/free-connector';
import { isVisible, type Side } from '../party/membership.ts';
import { connectorStatus } from './connector-status.ts';
import type { StationStore } from './store.ts';
import { presentPrice } from './tariff.ts';

interface Place {
  lat: number;
  lon: number;
}

interface Asked {
  number: string;
  type: ConnectorType | null;
  /** Null means the place of the station itself. */
  near: Place | null;
  at: Date;
}

/** The connectors of these stations where no charge may begin now, although they are free. */
export type WithoutRoom = (stations: readonly number[]) => Promise<ReadonlySet<number>>;

const mostSimilar = 3;
const mostFree = 3;
/** Further away is no help to a driver who stands at a station. */
const mostMetres = 30_000;
/** Enough to find three free ones also where most are busy. */
const searchedStations = 60;

/** What a driver can do who cannot charge at a station; only stations that they may see. */
export async function findAlternatives(
  stations: StationStore,
  partyId: Side,
  { number, type, near, at }: Asked,
  withoutRoom: WithoutRoom,
): Promise<{ similar: string[]; free: FreeConnector[] }> {
  const isSeen = ({ closedPartyId }: { closedPartyId: Side }) => isVisible(closedPartyId, partyId);
  const [known, alike] = await Promise.all([stations.byNumber(number), stations.byNumbers(similarNumbers(number))]);
  const similar = alike
    .filter(isSeen)
    .map((station) => station.number)
    .sort((a, b) => sharedStart(b, number) - sharedStart(a, number) || a.localeCompare(b))
    .slice(0, mostSimilar);
  const place = near ?? known;
  if (!place) return { similar, free: [] };
  const around = (await stations.near(place, searchedStations)).filter(
    (station) => isSeen(station) && station.number !== number,
  );
  const full = await withoutRoom(around.map(({ id }) => id));
  const connectors = Map.groupBy(await stations.connectorsOf(around.map(({ id }) => id)), ({ stationId }) => stationId);
  const free = around.flatMap((station) => {
    const found = connectors
      .get(station.id)
      ?.find(
        (one) => (type === null || one.type === type) && connectorStatus(one.facts) === 'free' && !full.has(one.id),
      );
    const price = found && presentPrice(found.tariff, at);
    if (!found || !isConnectorType(found.type) || price === null || price === undefined) return [];
    const { number, address, addressUk: address_uk } = station;
    const distance = Math.round(metresBetween(place, station));
    if (distance > mostMetres) return [];
    return [
      { number, api_address: String(found.ocppConnector), type: found.type, address, address_uk, price, distance },
    ];
  });
  return { similar, free: free.slice(0, mostFree) };
}

/** Numbers that differ in exactly one digit. */
export function similarNumbers(number: string): string[] {
  if (!/^[A-Z]\d{1,8}$/.test(number)) return [];
  return Array.from(number).flatMap((character, index) =>
    index === 0
      ? []
      : Array.from('0123456789')
          .filter((digit) => digit !== character)
          .map((digit) => number.slice(0, index) + digit + number.slice(index + 1)),
  );
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

const earthRadiusM = 6_371_000;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** By the haversine formula. */
export function metresBetween(a: Place, b: Place): number {
  const half =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  return 2 * earthRadiusM * Math.asin(Math.sqrt(half));
}
