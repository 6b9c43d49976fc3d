import { createHash } from 'node:crypto';
import type { DemoCity, Street } from './city.ts';
import { type DemoConnector, type DemoScenario, type DeviceKind, deviceKinds } from './devices.ts';
import { largeCities } from './large-cities.ts';
import { regionalCentres } from './regional-centres.ts';
import { type Special, specials } from './specials.ts';
import { towns } from './towns.ts';

export interface PlannedStation {
  number: string;
  address: string;
  addressUk: string;
  lat: number;
  lon: number;
  identity: string;
  connectors: readonly DemoConnector[];
  tariff: string;
  scenario: DemoScenario;
  isClosed: boolean;
  /** The content of its QR code. */
  link: string;
}

export const demoCities: DemoCity[] = [...largeCities, ...regionalCentres, ...towns];

const firstNumber = 1001;
/** At one in this many stations, two more stations are added. */
const hubEvery = 9;
const hubSize = 3;
const metresBetween = 170;
const metresPerDegree = 111_320;

export type DemoSize = 'full' | 'small';
/** Small is for tests: most of Dnipro, the first in Kyiv, and all that demonstrate a feature, as they are in the full one. */
const lastOfSmall = 'F1068';

/** The demo network. It is the same each time, because numbers, addresses and devices are derived from names. */
export function planDemoNetwork(size: DemoSize = 'full'): PlannedStation[] {
  const numbers = regularNumbers();
  const regular = demoCities.flatMap((city) =>
    placesIn(city).map((place) => {
      const number = numbers.next().value;
      return station(number, place, chosenKind(number));
    }),
  );
  const all = [...regular, ...Object.entries(specials).map(([number, special]) => specialStation(number, special))];
  return all
    .filter(({ number }) => size === 'full' || number <= lastOfSmall || Object.hasOwn(specials, number))
    .sort((a, b) => a.number.localeCompare(b.number));
}

function* regularNumbers(): Generator<string, never> {
  for (let next = firstNumber; ; next += 1) {
    const number = `F${next}`;
    if (!Object.hasOwn(specials, number)) yield number;
  }
}

interface Place {
  address: string;
  addressUk: string;
  lat: number;
  lon: number;
}

/** Distributes the stations over the city's streets; the more on one street, the further from its middle. */
function placesIn(city: DemoCity): Place[] {
  const places: Place[] = [];
  for (let index = 0; places.length < city.stations; index += 1) {
    const street = city.streets[index % city.streets.length];
    if (!street) throw new Error(`${city.en} has no streets`);
    const place = placeOn(street, city, Math.floor(index / city.streets.length));
    const isHub = index % hubEvery === hubEvery - 1;
    for (let copies = isHub ? hubSize : 1; copies > 0 && places.length < city.stations; copies -= 1) places.push(place);
  }
  return places;
}

function placeOn(street: Street, city: DemoCity, turn: number): Place {
  const direction = chance(city.en, street.en, 'direction') * 2 * Math.PI;
  const side = turn % 2 === 0 ? 1 : -1;
  const metres = side * Math.ceil(turn / 2) * metresBetween + chance(city.en, street.en, turn, 'along') * 60;
  const house = 2 + Math.floor(chance(city.en, street.en, 'house') * 60) * 2 + turn * 14 + (side < 0 ? 1 : 0);
  return {
    address: `${street.en}, ${house}, ${city.en}`,
    addressUk: `${street.uk}, ${house}, ${city.uk}`,
    lat: degrees(street.lat + (metres * Math.sin(direction)) / metresPerDegree),
    lon: degrees(
      street.lon + (metres * Math.cos(direction)) / (metresPerDegree * Math.cos((street.lat * Math.PI) / 180)),
    ),
  };
}

function station(number: string, place: Place, kind: DeviceKind): PlannedStation {
  return {
    number,
    ...place,
    identity: `CP-${number}`,
    connectors: kind.connectors,
    tariff: kind.tariff === 'DC' && chance(number, 'night') < 0.15 ? 'night' : kind.tariff,
    // Cars do not report their state of charge over an AC cable.
    scenario: kind.tariff === 'AC' ? 'no-soc' : 'normal',
    isClosed: false,
    link: linkOf(number),
  };
}

function specialStation(number: string, { place, kind, tariff, scenario = 'normal', isClosed = false }: Special) {
  const chosen = deviceKinds[kind];
  return { ...station(number, place, chosen), tariff: tariff ?? chosen.tariff, scenario, isClosed };
}

function chosenKind(number: string): DeviceKind {
  let left = chance(number, 'device') * 100;
  for (const kind of Object.values(deviceKinds)) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return deviceKinds.twoSockets;
}

/** Six letters and digits without similar-looking ones. */
function linkOf(number: string): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  return [...digest(number, 'link').subarray(0, 6)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

function digest(...words: (string | number)[]): Buffer {
  return createHash('sha256').update(words.join('|')).digest();
}

/** A number from 0 to 1, always the same for the same words. */
function chance(...words: (string | number)[]): number {
  return digest(...words).readUInt32BE() / 2 ** 32;
}

function degrees(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
