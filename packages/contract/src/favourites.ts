import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { StationNumber } from './stations.ts';
import { Instant } from './wire.ts';

/** A station in a driver's own lists. */
export const KnownStation = z.object({
  number: StationNumber,
  address: z.string(),
  address_uk: z.string(),
  lat: z.number(),
  lon: z.number(),
  is_favourite: z.boolean(),
  /** The last charge there; null for a favourite where the driver has not charged yet. */
  charged_at: z.nullable(Instant),
});
export type KnownStation = z.infer<typeof KnownStation>;

/** A driver marks this many stations at most. */
export const mostFavourites = 50;

export const knownStations = endpoint({
  method: 'GET',
  path: '/api/user/stations',
  summary: "The caller's favourite stations, then those where the caller charged lately",
  access: ['access-account-page'],
  reply: z.array(KnownStation),
});

const ByNumber = z.object({ number: StationNumber });

export const addFavourite = endpoint({
  method: 'POST',
  path: '/api/user/stations/:number',
  summary: 'Mark a station as a favourite',
  access: ['access-account-page'],
  params: ByNumber,
  refusals: ['not_found', 'closed_station', 'too_many_favourites'],
});

export const removeFavourite = endpoint({
  method: 'DELETE',
  path: '/api/user/stations/:number',
  summary: 'Unmark a station',
  access: ['access-account-page'],
  params: ByNumber,
});
