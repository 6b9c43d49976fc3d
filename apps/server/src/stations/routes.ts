import { getPhoto } from '@fpay/contract/photos';
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
import { Refusal } from '../platform/refusal.ts';
import { sendMap } from './map/send.ts';
import type { MapService } from './map/service.ts';
import type { PhotoStore } from './photos.ts';
import type { StationService } from './service.ts';

interface StationParts {
  service: StationService;
  map: MapService;
  photos: PhotoStore;
}

/** The address of a photo is never used for another one, so a browser that has it need not ask again. */
const forEver = 'public, max-age=31536000, immutable';

export function stationRoutes(routes: Routes, { service: stations, map, photos }: StationParts): void {
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
  routes.on(getPhoto, async ({ params, http }) => {
    const picture = await photos.picture(params.key, params.size);
    if (!picture) throw new Refusal('not_found');
    return http.reply.type('image/webp').header('cache-control', forEver).send(picture) as never;
  });
  routes.on(getPromotions, ({ viewer }) => stations.promotions(viewer));
}
