import { createPartyStore } from '../party/store.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import { createDeviceStates, type DeviceStates } from './device-states.ts';
import { createMapService, type MapService } from './map/service.ts';
import { stationRoutes } from './routes.ts';
import { createStationService, type StationService } from './service.ts';
import { createStationStore, type StationStore } from './store.ts';

export interface StationDependencies extends Pick<Platform, 'databaseUrl' | 'db' | 'outbox' | 'clock' | 'log'> {
  /** The minimal interval between two drawings of the map. */
  redrawEveryMs?: number;
}

export interface Stations {
  store: StationStore;
  service: StationService;
  deviceStates: DeviceStates;
  map: MapService;
  routes(routes: Routes): void;
}

/** Stations, wired: their pages, the map, and what changes when a device connects or disconnects. */
export function createStations({ databaseUrl, db, outbox, clock, log, redrawEveryMs }: StationDependencies): Stations {
  const store = createStationStore(db);
  const service = createStationService({ stations: store, parties: createPartyStore(db), clock });
  const map = createMapService({ databaseUrl, outbox, log, ...(redrawEveryMs !== undefined && { redrawEveryMs }) });

  return {
    store,
    service,
    deviceStates: createDeviceStates(),
    map,
    routes: (routes: Routes): void => stationRoutes(routes, service, map),
  };
}
