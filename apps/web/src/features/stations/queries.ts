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

/** A virtual station has a number of its own and connectors of several real ones; the two never share data. */
export type StationKind = 'real' | 'virtual';

/** A page that was opened before the network learned a new plug shows the ones it knows. */
const knownConnectors = z.pipe(z.transform(withoutUnknownConnectors), StationPage);
const calls = {
  real: { station: { ...getStation, reply: knownConnectors }, connectors: getConnectors },
  virtual: { station: { ...getVirtualStation, reply: knownConnectors }, connectors: getVirtualConnectors },
} as const;

const attempts = 3;
const pauseBetweenMs = 700;
/** After this long away from the page its prices count as not loaded. */
const keptMs = 60_000;
export const statusRefreshMs = 15_000;

export const stationQueries = {
  station: (kind: StationKind, number: string) =>
    queryOptions({
      queryKey: ['stations', kind, 'station', number],
      queryFn: ({ signal }) => call(calls[kind].station, { params: { number }, signal }),
      initialData: () => firstReply(calls[kind].station, { params: { number } }),
      retry: (failures, error) => failures + 1 < attempts && mayPass(error),
      retryDelay: pauseBetweenMs,
      // Loaded once per number; states are followed by the query below.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    }),
  connectors: (kind: StationKind, number: string) =>
    queryOptions({
      queryKey: ['stations', kind, 'connectors', number],
      queryFn: ({ signal }) => call(calls[kind].connectors, { params: { number }, signal }),
      staleTime: statusRefreshMs,
      gcTime: keptMs,
    }),
};

/** Prices come from another service, which may be away for a moment. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 500 || error.message.toLowerCase().startsWith('pricing service did not respond');
}

function withoutUnknownConnectors(station: unknown): unknown {
  const { connectors, ...rest } = station as { connectors?: { type?: unknown }[] };
  if (!Array.isArray(connectors)) return station;
  return { ...rest, connectors: connectors.filter(({ type }) => typeof type === 'string' && isConnectorType(type)) };
}
