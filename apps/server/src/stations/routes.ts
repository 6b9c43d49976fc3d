import {
  getAlternatives,
  getChunk,
  getConnectors,
  getLink,
  getMapStations,
  getPromotions,
  getStation,
  getVirtualConnectors,
  getVirtualStation,
} from '@fpay/contract/stations';
import type { Routes } from '../platform/http/routes.ts';
import { sendMap } from './map/send.ts';
import type { MapService } from './map/service.ts';
import type { StationService } from './service.ts';

export function stationRoutes(routes: Routes, stations: StationService, map: MapService): void {
  routes.on(getMapStations, async ({ query, viewer, http }) => {
    const variant = await stations.closedPartyOf(viewer);
    // The worker has already encoded the bytes in the shape of the reply.
    return sendMap(map, variant, query.since, http) as never;
  });
  routes.on(getChunk, ({ body, viewer }) => stations.chunk(viewer, body.numbers));
  routes.on(getStation, ({ params, viewer }) => stations.station(viewer, params.number));
  routes.on(getVirtualStation, ({ params, viewer }) => stations.virtualStation(viewer, params.number));
  routes.on(getConnectors, ({ params, viewer }) => stations.connectors(viewer, params.number));
  routes.on(getVirtualConnectors, ({ params, viewer }) => stations.virtualConnectors(viewer, params.number));
  routes.on(getAlternatives, ({ query, viewer }) => stations.alternatives(viewer, query));
  routes.on(getLink, ({ params, viewer }) => stations.link(viewer, params.link));
  routes.on(getPromotions, ({ viewer }) => stations.promotions(viewer));
}
