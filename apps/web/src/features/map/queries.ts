import type { ConnectorType } from '@fpay/contract/connectors';
import { isConnectorType } from '@fpay/contract/connectors';
import {
  Chunk,
  EmptyChunk,
  getChunk,
  getMapStations,
  getPromotions,
  mapSinceHeader,
  mapVersionHeader,
} from '@fpay/contract/stations';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { addressOf } from '../../api/address.ts';
import { call } from '../../api/call.ts';
import { apiErrorOf, NetworkError } from '../../api/errors.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { atlas } from './atlas/remote.ts';
import { perfMark } from './perf-mark.ts';

/** Often enough for the availability of connectors; only while the page is visible. */
const refreshMs = 15_000;
const promotionsMs = 10 * 60_000;

/** The user and the version of the map that the worker holds. Another driver may see other stations. */
let held: { viewer: number | null; version: string } | null = null;

export const mapQueries = {
  /** The stations stay in the worker; the cache stores only when they were loaded. */
  stations: (viewer: number | null) =>
    queryOptions({
      queryKey: ['map', 'stations', viewer],
      queryFn: ({ signal }) => refreshStations(viewer, signal),
      refetchInterval: refreshMs,
      staleTime: 0,
      gcTime: 0,
      retry: (failures, error) => failures < 2 && error instanceof NetworkError,
      retryDelay: 1000,
      refetchOnReconnect: true,
    }),
  promotions: () =>
    queryOptions({
      queryKey: ['map', 'promotions'],
      queryFn: ({ signal }) => call(getPromotions, { signal }),
      staleTime: promotionsMs,
    }),
  /** A marker's stations with prices. Requested at each opening, because a wrong availability would cost a drive. */
  chunk: (numbers: readonly string[]) =>
    queryOptions({
      queryKey: ['map', 'chunk', ...numbers],
      queryFn: ({ signal }) => call(knownChunk, { body: { numbers: [...numbers] }, signal }),
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
};

/** A page that was loaded before the network got a new connector type shows the types that it knows. */
const knownChunk = {
  ...getChunk,
  reply: z.pipe(z.transform(withoutUnknownConnectors), z.union([Chunk, EmptyChunk])),
};

async function refreshStations(viewer: number | null, signal: AbortSignal): Promise<{ version: string }> {
  const since = held?.viewer === viewer ? held.version : undefined;
  const { url } = addressOf(getMapStations, { query: { since } });
  const response = await fetch(url, { credentials: 'include', signal }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new NetworkError(`GET ${url}: no answer`, { cause });
  });
  if (!response.ok) {
    // The texts of refusals are loaded with the first one, as in `call`.
    await loadTexts(['refusals']).catch(() => undefined);
    throw await apiErrorOf(response);
  }
  const version = response.headers.get(mapVersionHeader) ?? '';
  const isWhole = response.headers.get(mapSinceHeader) === null;
  const bytes = await response.arrayBuffer();
  perfMark('map-data');
  await atlas().ask('load', { bytes, isWhole });
  held = { viewer, version };
  return { version };
}

function withoutUnknownConnectors(chunk: unknown): unknown {
  const { stations, ...rest } = chunk as { stations?: { connectors?: { type?: unknown }[] }[] };
  if (!Array.isArray(stations)) return chunk;
  return {
    ...rest,
    stations: stations.map((station) => ({
      ...station,
      connectors: station.connectors?.filter(({ type }) => typeof type === 'string' && isConnectorType(type)),
    })),
  };
}

/** The chosen types are sent to the worker and stored for the next visit, because drivers rarely change the car. */
const typesKey = 'fpay.map.types';

export function rememberedTypes(): ConnectorType[] {
  return (localStorage.getItem(typesKey) ?? '').split(',').filter(isConnectorType);
}

export function rememberTypes(types: readonly ConnectorType[]): void {
  localStorage.setItem(typesKey, types.join());
}
