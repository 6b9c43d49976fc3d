import { addStation, type NetworkStation, StationForm } from '@fpay/contract/admin/network/stations';
import type { ConnectorType } from '@fpay/contract/connectors';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { decimalOf } from '../../../../ui/form/decimal.ts';

/** A connector as it is typed. `tariff` is empty for a fixed price. */
export interface TypedConnector {
  key: number;
  charge_point: string;
  connector: string;
  type: ConnectorType;
  /** kW. */
  power: string;
  has_cable: boolean;
  tariff: string;
  /** Hryvnias. */
  price: string;
}

export interface TypedHours {
  isAlways: boolean;
  weekdays: { from: string; to: string };
  weekend: { from: string; to: string };
}

export interface TypedStation {
  number: string;
  is_virtual: boolean;
  address: string;
  address_uk: string;
  lat: string;
  lon: string;
  party_id: string;
  note: string;
  hours: TypedHours;
  connectors: TypedConnector[];
}

let lastKey = 0;
export const newConnector = (previous?: TypedConnector): TypedConnector => ({
  type: 'ccstype2',
  power: '60',
  has_cable: true,
  tariff: '',
  price: '',
  ...previous,
  charge_point: previous?.charge_point ?? '',
  connector: previous ? String(Number(previous.connector) + 1) : '1',
  key: ++lastKey,
});

const emptyDay = { from: '', to: '' };

/** The centre of Dnipro, until staff tap on the map. */
const usualPlace = { lat: '48.4647', lon: '35.0462' };

export function typedStation(station: NetworkStation | null, number: string): TypedStation {
  if (!station) {
    const hours = { isAlways: true, weekdays: emptyDay, weekend: emptyDay };
    const rest = { address: '', address_uk: '', party_id: '', note: '', connectors: [newConnector()] };
    return { number, is_virtual: false, ...usualPlace, hours, ...rest };
  }
  const { opening_hours: hours } = station;
  return {
    number: station.number,
    is_virtual: station.is_virtual,
    address: station.address,
    address_uk: station.address_uk,
    lat: String(station.lat),
    lon: String(station.lon),
    party_id: station.party_id === null ? '' : String(station.party_id),
    note: station.note ?? '',
    hours: { isAlways: hours === null, weekdays: hours?.weekdays ?? emptyDay, weekend: hours?.weekend ?? emptyDay },
    connectors: station.connector_list.map(
      ({ id, charge_point, connector, type, power, has_cable, tariff, price }) => ({
        key: -id,
        charge_point,
        connector: String(connector),
        type,
        power: String(power / 1000),
        has_cable,
        tariff: tariff && !tariff.is_fixed ? tariff.name : '',
        price: price === null || (tariff && !tariff.is_fixed) ? '' : (price / 100).toFixed(2).replace('.', ','),
      }),
    ),
  };
}

const scaled = (typed: string, by: number) => {
  const value = decimalOf(typed);
  return value === '' ? Number.NaN : Math.round(value * by);
};

function dayOf({ from, to }: { from: string; to: string }) {
  return from === '' && to === '' ? null : { from, to };
}

/** The request of a form; what is not a number becomes NaN and is refused by the contract. */
export function stationRequest(typed: TypedStation) {
  const { number, is_virtual, hours, connectors } = typed;
  const degrees = (text: string) => {
    const value = decimalOf(text);
    return value === '' ? Number.NaN : value;
  };
  return {
    number,
    is_virtual,
    address: typed.address,
    address_uk: typed.address_uk,
    lat: degrees(typed.lat),
    lon: degrees(typed.lon),
    party_id: typed.party_id === '' ? null : Number(typed.party_id),
    note: typed.note.trim() || null,
    opening_hours: hours.isAlways ? null : { weekdays: dayOf(hours.weekdays), weekend: dayOf(hours.weekend) },
    connectors: is_virtual
      ? []
      : connectors.map(({ charge_point, connector, type, power, has_cable, tariff, price }) => ({
          charge_point: charge_point.trim(),
          connector: scaled(connector, 1),
          type,
          power: scaled(power, 1000),
          has_cable,
          price: tariff === '' ? scaled(price, 100) : null,
          tariff: tariff === '' ? null : tariff,
        })),
    listed: is_virtual
      ? connectors.map(({ charge_point, connector }) => ({
          charge_point: charge_point.trim(),
          connector: scaled(connector, 1),
        }))
      : [],
  };
}

/** The error by the path in the request: `connectors.0.price`. */
export type StationErrorOf = (path: string) => string | undefined;

const texts: Record<string, TextKey> = {
  number: 'networkStations:wrongNumber',
  address: 'networkStations:wrongAddress',
  address_uk: 'networkStations:wrongAddress',
  lat: 'networkStations:wrongPlace',
  lon: 'networkStations:wrongPlace',
  party: 'networkStations:wrongParty',
  note: 'networkStations:wrongNote',
  charge_point: 'networkStations:wrongDevice',
  connector: 'networkStations:wrongConnector',
  power: 'networkStations:wrongPower',
  price: 'network:wrongPrice',
  tariff: 'networkStations:wrongTariff',
  from: 'networkStations:wrongHours',
  to: 'networkStations:wrongHours',
};

/** Messages of the server that have a text of their own. */
const messages: Record<string, TextKey> = {
  'This number is taken.': 'networkStations:numberTaken',
  'There is no such charge point.': 'networkStations:deviceUnknown',
  'This connector is in the list already.': 'networkStations:connectorTwice',
};

function errorAt(path: string, message: string): [string, TextKey] {
  const field = path.split('.').at(-1) ?? '';
  const text = messages[message] ?? (/belongs to/.test(message) ? 'networkStations:connectorTaken' : texts[field]);
  return [path, text ?? 'networkStations:wrongField'];
}

export function checkStation(typed: TypedStation): Record<string, TextKey> {
  const { error } = addStation.body.safeParse(stationRequest(typed));
  // The first message of a field is shown.
  return Object.fromEntries(
    (error?.issues ?? []).toReversed().map(({ path, message }) => errorAt(path.join('.'), message)),
  );
}

export function stationErrors(errors: Readonly<Record<string, string[]>>): Record<string, TextKey> {
  return Object.fromEntries(Object.entries(errors).map(([path, [message = '']]) => errorAt(path, message)));
}

/** The request of a change: what the contract lets staff change of an existing station. */
export function changeRequest(typed: TypedStation): StationForm {
  return StationForm.parse(stationRequest(typed));
}

/** How many parts of the form differ, for the line above the buttons. */
export function changesOf(before: TypedStation, after: TypedStation): number {
  return (Object.keys(after) as (keyof TypedStation)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  ).length;
}
