import { isConnectorType } from '@fpay/contract/connectors';
import {
  getConnectors,
  getStation,
  getVirtualConnectors,
  getVirtualStation,
  StationPage,
} from '@fpay/contract/stations';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { firstReply } from '../../api/first-answers.ts';

/** A virtual station has its own number and connectors of several real ones; the two never share cached data. */
export type StationKind = 'real' | 'virtual';

/** A page that was loaded before the network got a new connector type shows the types that it knows. */
const knownConnectors = z.pipe(z.transform(withoutUnknownConnectors), StationPage);
const calls = {
  real: { station: { ...getStation, reply: knownConnectors }, connectors: getConnectors },
  virtual: { station: { ...getVirtualStation, reply: knownConnectors }, connectors: getVirtualConnectors },
} as const;

const attempts = 3;
const pauseBetweenMs = 700;
/** After this time away from the page, its prices are loaded again. */
const cacheMs = 60_000;
export const statusRefreshMs = 15_000;

export const stationQueries = {
  station: (kind: StationKind, number: string) =>
    queryOptions({
      queryKey: ['stations', kind, 'station', number],
      queryFn: ({ signal }) => call(calls[kind].station, { params: { number }, signal }),
      initialData: () => firstReply(calls[kind].station, { params: { number } }),
      retry: (failures, error) => failures + 1 < attempts && isTransient(error),
      retryDelay: pauseBetweenMs,
      // Loaded once per number; the query below updates the states.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: cacheMs,
    }),
  connectors: (kind: StationKind, number: string) =>
    queryOptions({
      queryKey: ['stations', kind, 'connectors', number],
      queryFn: ({ signal }) => call(calls[kind].connectors, { params: { number }, signal }),
      staleTime: statusRefreshMs,
      gcTime: cacheMs,
    }),
};

/** Whether staff noted something about the station, or added photos. */
export const hasNotes = ({ note, opening_hours: hours, maintenance, photos }: StationPage): boolean =>
  !!(note || hours || maintenance[0] || photos[0]);

/** Prices come from another service, which may be down for a moment. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 500 || error.code === 'pricing_unavailable';
}

function withoutUnknownConnectors(station: unknown): unknown {
  const { connectors, ...rest } = station as { connectors?: { type?: unknown }[] };
  if (!Array.isArray(connectors)) return station;
  return { ...rest, connectors: connectors.filter(({ type }) => typeof type === 'string' && isConnectorType(type)) };
}
