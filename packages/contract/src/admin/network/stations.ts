import * as z from 'zod/mini';
import { ConnectorStatus, ConnectorType, connectorTypes } from '../../connectors.ts';
import { endpoint } from '../../endpoint.ts';
import { Kopecks, Watts } from '../../money.ts';
import { noMoney } from '../../staff-money.ts';
import { OpeningHours, StationMaintenance, StationNumber, StationPhoto } from '../../stations.ts';
import { Id, IdText, Instant, PageQuery } from '../../wire.ts';
import { Flag } from '../filters.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;

const text = (most: number) => z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(most));

/** The last part of a device's address, so it has no characters that end or change a path; colons do occur. */
export const DeviceIdentity = z
  .string()
  .check(z.regex(/^[\w*=:+|@.-]{1,48}$/, 'must be 1 to 48 letters, digits or -_.:*=+|@'));
export const ConnectorNumber = z.int('must be a whole number').check(z.gte(1), z.lte(100));
/** Above it no connector exists, so a larger value is a mistake of the person who typed it. */
export const mostRatedW = Math.max(...Object.values(connectorTypes).map(({ mostW }) => mostW));
export const RatedPower = z.int('must be whole watts').check(z.gte(100), z.lte(mostRatedW));
export const TariffName = text(60);
export const LinkCode = z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be letters, digits, - or _'));

/** The longest note that fits on the first screen of a station's page. */
export const noteLength = 140;

export const StationItem = z.object({
  id: Id,
  number: StationNumber,
  address: z.string(),
  address_uk: z.string(),
  is_virtual: z.boolean(),
  is_online: z.boolean(),
  is_retired: z.boolean(),
  /** How many of its connectors, or the whole station, are under maintenance now. */
  in_maintenance: z.int(),
  connectors: z.int(),
  party: z.nullable(z.string()),
});
export type StationItem = z.infer<typeof StationItem>;

export const networkStations = endpoint({
  method: 'GET',
  path: '/api/admin/network/stations',
  summary: 'Stations, newest first, by a part of the number or of an address',
  access: view,
  query: z.extend(PageQuery, {
    q: z.optional(z.string().check(z.maxLength(100))),
    retired: z.optional(Flag),
  }),
  reply: z.array(StationItem),
  openInMaintenance: true,
});

export const StationConnector = z.object({
  id: Id,
  charge_point: z.string(),
  connector: z.int(),
  type: ConnectorType,
  power: Watts,
  has_cable: z.boolean(),
  /** Null while no price is set; such a connector cannot be used. */
  tariff: z.nullable(z.object({ id: Id, name: z.string(), is_fixed: z.boolean() })),
  /** Kopecks per kWh now; null when there is none. */
  price: z.nullable(Kopecks),
  status: ConnectorStatus,
  /** The real station, for a connector that a virtual station lists. */
  station_number: StationNumber,
});
export type StationConnector = z.infer<typeof StationConnector>;

export const NetworkStation = z.extend(StationItem, {
  lat: z.number(),
  lon: z.number(),
  party_id: z.nullable(Id),
  note: z.nullable(z.string()),
  opening_hours: z.nullable(OpeningHours),
  changed_at: z.nullable(Instant),
  links: z.array(z.string()),
  connector_list: z.array(StationConnector),
  /** The first one is the one that drivers see first. */
  photos: z.array(StationPhoto),
  /** Planned and present work. */
  maintenance: z.array(z.extend(StationMaintenance, { id: Id, is_active: z.boolean() })),
});
export type NetworkStation = z.infer<typeof NetworkStation>;

const byNumber = z.object({ number: StationNumber });

export const networkStation = endpoint({
  method: 'GET',
  path: '/api/admin/network/stations/:number',
  summary: 'A station as staff edit it',
  access: view,
  params: byNumber,
  reply: NetworkStation,
  refusals: ['station_not_found', 'pricing_unavailable'],
  openInMaintenance: true,
});

const ConnectorForm = z
  .object({
    charge_point: DeviceIdentity,
    /** Its number on the device. */
    connector: ConnectorNumber,
    type: ConnectorType,
    power: RatedPower,
    has_cable: z.boolean(),
    /** Kopecks per kWh for a fixed price, or the name of a tariff; exactly one of them. */
    price: z.nullable(Kopecks.check(z.lte(1000_00))),
    tariff: z.nullable(TariffName),
  })
  .check(z.refine(({ price, tariff }) => (price === null) !== (tariff === null), { path: ['price'] }));

const mostConnectors = 100;

/** What staff can change of a station. */
export const StationForm = z.object({
  address: text(200),
  address_uk: text(200),
  lat: z.number('must be degrees').check(z.gte(-90), z.lte(90)),
  lon: z.number('must be degrees').check(z.gte(-180), z.lte(180)),
  party_id: z.nullable(Id),
  note: z.nullable(text(noteLength)),
  opening_hours: z.nullable(OpeningHours),
  /** Of a real station: its connectors. Those that are missing here are removed. */
  connectors: z.array(ConnectorForm).check(z.maxLength(mostConnectors)),
  /** Of a virtual station: connectors of other stations, in their order. */
  listed: z
    .array(z.object({ charge_point: DeviceIdentity, connector: ConnectorNumber }))
    .check(z.maxLength(mostConnectors)),
});
export type StationForm = z.infer<typeof StationForm>;

export const addStation = endpoint({
  method: 'POST',
  path: '/api/admin/network/stations',
  summary: 'A new station',
  access: manage,
  money: noMoney.network,
  body: z.extend(StationForm, { number: StationNumber, is_virtual: z.boolean() }),
  reply: z.object({ number: StationNumber }),
  refusals: ['invalid_input'],
});

export const changeStation = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/stations/:number',
  summary: 'Change a station and its connectors; running charges keep their price',
  access: manage,
  money: noMoney.network,
  params: byNumber,
  body: StationForm,
  reply: z.object({ number: StationNumber }),
  refusals: ['station_not_found', 'invalid_input', 'connector_in_use'],
});

export const retireStation = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/stations/:number',
  summary: 'Take a station out of the network; its history stays',
  access: manage,
  money: noMoney.network,
  params: byNumber,
  refusals: ['station_not_found', 'connector_in_use', 'action_not_applicable'],
});

export const restoreStation = endpoint({
  method: 'POST',
  path: '/api/admin/network/stations/:number/restore',
  summary: 'Bring a retired station back',
  access: manage,
  money: noMoney.network,
  params: byNumber,
  refusals: ['station_not_found', 'action_not_applicable'],
});

export const planMaintenance = endpoint({
  method: 'POST',
  path: '/api/admin/network/stations/:number/maintenance',
  summary: 'Work at a station or at one connector: no charge starts there while it lasts',
  access: manage,
  money: noMoney.network,
  params: byNumber,
  body: z
    .object({
      /** Null: the whole station. */
      connector_id: z.nullable(Id),
      reason: text(noteLength),
      /** Null: now. */
      starts_at: z.nullable(Instant),
      /** Null: until staff end it. */
      ends_at: z.nullable(Instant),
    })
    .check(
      z.refine(({ starts_at, ends_at }) => !starts_at || !ends_at || Date.parse(starts_at) < Date.parse(ends_at), {
        path: ['ends_at'],
        message: 'must be after the start',
      }),
    ),
  reply: z.object({ id: Id }),
  refusals: ['station_not_found', 'not_found', 'invalid_input'],
});

export const endMaintenance = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/maintenance/:id',
  summary: 'End work at a station now, or withdraw planned work',
  access: manage,
  money: noMoney.network,
  params: z.object({ id: IdText }),
  refusals: ['not_found', 'action_not_applicable'],
});

export const stationChoices = endpoint({
  method: 'GET',
  path: '/api/admin/network/choices',
  summary: 'What a station can be connected with: devices, tariffs, parties',
  access: view,
  reply: z.object({
    charge_points: z.array(z.string()),
    tariffs: z.array(z.object({ id: Id, name: z.string(), price: Kopecks, is_fixed: z.boolean() })),
    parties: z.array(z.object({ id: Id, name: z.string(), is_closed: z.boolean() })),
    /** The number after the highest one. */
    next_number: StationNumber,
  }),
  openInMaintenance: true,
});
