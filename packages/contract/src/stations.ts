import * as z from 'zod/mini';
import { ConnectorStatus, ConnectorType } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { FreeConnector } from './free-connector.ts';
import { IdleFee } from './idle-fee.ts';
import { Kopecks, WattHours, Watts } from './money.ts';
import { Id, Instant, KyivTime } from './wire.ts';

/** The number on the device and in its QR code: F1234. */
export const StationNumber = z.string().check(z.regex(/^[A-Z]\d{1,8}$/, 'The station number looks like F1234.'));

/** Percent of the connector's open operation; null when unknown. */
const Percent = z.int().check(z.gte(0), z.lte(100));
const Seconds = z.int().check(z.nonnegative());

export const ConnectorState = z.object({
  id: Id,
  /** The connector's number on its charge point, as drivers see it there. */
  api_address: z.string(),
  /** The real station, also when a virtual station lists this connector. */
  charging_station_id: Id,
  status: ConnectorStatus,
  progress: z.nullable(Percent),
  time_left: z.nullable(Seconds),
});
export type ConnectorState = z.infer<typeof ConnectorState>;

export const Connector = z.extend(ConnectorState, {
  type: ConnectorType,
  has_cable: z.boolean(),
  power: Watts,
  /** Kopecks per kWh now; 0 is free. */
  price: Kopecks,
  /** The usual price while a discount applies. */
  old_price: z.nullable(Kopecks),
  discount_string: z.nullable(z.string()),
  /** The fee for a car that stays plugged in; null when there is none. */
  idle: z.optional(z.nullable(IdleFee)),
  /** Set only in a virtual station: the number on the device, because every device counts its connectors from 1. */
  station_number: z.optional(StationNumber),
});
export type Connector = z.infer<typeof Connector>;

export const Station = z.object({
  id: Id,
  number: StationNumber,
  address: z.string(),
  address_uk: z.string(),
  lat: z.number(),
  lon: z.number(),
  is_online: z.boolean(),
  /** Empty while the station is offline. */
  connectors: z.array(Connector),
});
export type Station = z.infer<typeof Station>;

const DayHours = z
  .object({ from: KyivTime, to: KyivTime })
  .check(z.refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after the opening' }));

/** A station without opening hours is open round the clock. Null for days on which it is closed. */
export const OpeningHours = z.object({ weekdays: z.nullable(DayHours), weekend: z.nullable(DayHours) });
export type OpeningHours = z.infer<typeof OpeningHours>;

/** Work at a station, as drivers are informed about it. */
export const StationMaintenance = z.object({
  /** Null: the whole station. */
  connector_id: z.nullable(Id),
  reason: z.string(),
  starts_at: Instant,
  /** Null when the end is not known. */
  ends_at: z.nullable(Instant),
});
export type StationMaintenance = z.infer<typeof StationMaintenance>;

/** Width and height in pixels, so that a page reserves the place before the picture is loaded. */
export const StationPhoto = z.object({ key: z.string(), width: z.int(), height: z.int() });
export type StationPhoto = z.infer<typeof StationPhoto>;

/** What a finished charge of a registered driver brings back to the balance today. */
export const StationReward = z.object({
  min_energy: WattHours,
  amount: Kopecks,
  /** It is paid until the budget of the day is used up. */
  has_budget: z.boolean(),
  /** The budget of today has not enough left for another reward. */
  is_used_up: z.boolean(),
});
export type StationReward = z.infer<typeof StationReward>;

export const StationPage = z.extend(Station, {
  /** The code of the banner that this station shows today. */
  promo: z.nullable(z.string()),
  /** Null: there is none today. */
  reward: z.nullable(StationReward),
  /** How to find the charger, how to open the barrier. */
  note: z.nullable(z.string()),
  /** Null: round the clock. */
  opening_hours: z.nullable(OpeningHours),
  /** Work that goes on now. */
  maintenance: z.array(StationMaintenance),
  photos: z.array(StationPhoto),
});
export type StationPage = z.infer<typeof StationPage>;

/** Few fields, because there may be 50,000 stations. */
export const MapStation = z.object({
  number: StationNumber,
  address: z.string(),
  address_uk: z.string(),
  is_online: z.boolean(),
  connectors: z.array(z.object({ type: ConnectorType, status: ConnectorStatus })),
});
export type MapStation = z.infer<typeof MapStation>;

/**
 * Stations that share one marker, because their coordinates round to the same 4 decimals. In a list of changes, a chunk
 * without stations is removed from the map.
 */
export const MapChunk = z.object({ lat: z.number(), lon: z.number(), stations: z.array(MapStation) });
export type MapChunk = z.infer<typeof MapChunk>;

/**
 * The version of a map answer. When the client sends it as `since`, the answer contains only later changes. The ETag
 * contains it too.
 */
export const mapVersionHeader = 'x-map-version';
/** The version that this answer continues. Without the header, the answer is the whole map. */
export const mapSinceHeader = 'x-map-changes-since';

export const getMapStations = endpoint({
  method: 'GET',
  path: '/api/map/stations',
  summary: 'Every station on the map, or with `since` only the chunks that changed after that version',
  access: 'anyone',
  query: z.object({ since: z.optional(z.string().check(z.maxLength(120))) }),
  reply: z.array(MapChunk),
  // The answer is stored compressed, so the server sends it as bytes.
  produces: 'application/json',
});

export const Chunk = z.object({
  address: z.string(),
  address_uk: z.string(),
  lat: z.number(),
  lon: z.number(),
  stations: z.array(Station).check(z.minLength(1)),
});
export type Chunk = z.infer<typeof Chunk>;
export const EmptyChunk = z.object({ stations: z.array(z.never()) });

/** More than any real place has under one marker. */
const mostInChunk = 500;

export const getChunk = endpoint({
  method: 'POST',
  path: '/api/map/get-chunk',
  summary: "A marker's stations with their connectors and prices",
  access: 'anyone',
  body: z.object({ numbers: z.array(z.string().check(z.maxLength(20))).check(z.maxLength(mostInChunk)) }),
  reply: z.union([Chunk, EmptyChunk]),
  refusals: ['pricing_unavailable'],
});

/** Any text is accepted; a text that is no station number gives 404. */
const byNumber = z.object({ number: z.string() });

export const getStation = endpoint({
  method: 'GET',
  path: '/api/station/:number',
  summary: 'A station with its connectors and prices',
  access: 'anyone',
  params: byNumber,
  reply: StationPage,
  refusals: ['not_found', 'closed_station', 'pricing_unavailable'],
});

export const getVirtualStation = endpoint({
  ...getStation,
  path: '/api/station/v/:number',
  summary: 'A virtual station: a number of its own that lists connectors of several stations',
});

export const getConnectors = endpoint({
  method: 'GET',
  path: '/api/connectors/:number',
  summary: "The present state of a station's connectors",
  access: 'anyone',
  params: byNumber,
  reply: z.array(ConnectorState),
  refusals: ['not_found', 'closed_station'],
});

export const getVirtualConnectors = endpoint({
  ...getConnectors,
  path: '/api/connectors/v/:number',
  summary: "The present state of a virtual station's connectors",
});

export const getAlternatives = endpoint({
  method: 'GET',
  path: '/api/alternatives',
  summary: 'For a driver who cannot charge at this station: numbers that look alike, and the nearest free connectors',
  access: 'anyone',
  query: z.object({
    /** The number as the driver typed or scanned it. */
    number: z.string().check(z.maxLength(20)),
    /** Only connectors of this type. */
    type: z.optional(ConnectorType),
    /** The driver's place, as `48.4621,35.0589`; the station's own place without it. */
    near: z.optional(z.string().check(z.regex(/^-?\d{1,2}(\.\d{1,8})?,-?\d{1,3}(\.\d{1,8})?$/))),
  }),
  reply: z.object({ similar: z.array(StationNumber), free: z.array(FreeConnector) }),
});

export const getLink = endpoint({
  method: 'GET',
  path: '/api/link/:link',
  summary: 'The station of a QR code',
  access: 'anyone',
  params: z.object({ link: z.string() }),
  reply: z.object({ station_number: StationNumber, is_virtual: z.boolean() }),
  refusals: ['not_found', 'closed_station'],
});

export const Promotion = z.object({
  /** Pages have texts and pictures for the codes that they know, and ignore others. */
  code: z.string(),
  kind: z.enum(['banner', 'marker', 'reward']),
  /** Null means the whole network. */
  station_number: z.nullable(StationNumber),
});
export type Promotion = z.infer<typeof Promotion>;

export const getPromotions = endpoint({
  method: 'GET',
  path: '/api/promotions',
  summary: 'The promotions of today: which stations wear a marker or show a banner',
  access: 'anyone',
  reply: z.array(Promotion),
});
