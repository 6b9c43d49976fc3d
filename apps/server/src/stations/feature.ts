import { createPartyStore } from '../party/store.ts';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { WithoutRoom } from './alternatives.ts';
import { createDeviceStates, type DeviceStates } from './device-states.ts';
import { createMaintenanceWindows } from './maintenance-windows.ts';
import { createMapService, type MapService } from './map/service.ts';
import { createPhotoEncoder } from './photo-encoder.ts';
import { createPhotoStaff, type PhotoStaff } from './photo-staff.ts';
import { createPromotionStaff, type PromotionStaff } from './promotion-staff.ts';
import { stationRoutes } from './routes.ts';
import { createStationService, type StationService } from './service.ts';
import { createStationStaff, type StationStaff } from './staff.ts';
import { createStationStore, type StationStore } from './store.ts';
import { createTariffStaff, type TariffStaff } from './tariff-changes.ts';
import { stationUserTables } from './user-tables.ts';

export interface StationDependencies
  extends Pick<Platform, 'databaseUrl' | 'isPooled' | 'db' | 'steps' | 'outbox' | 'dueWork' | 'clock' | 'log'> {
  audit: Audit;
  approvals: Pick<Approvals, 'on' | 'request'>;
  /** In kopecks: what one charge may cost less without a second staff member. */
  staffLimit: number;
  /** The minimal interval between two drawings of the map. */
  redrawEveryMs?: number;
  /** Free connectors where no charge may begin, because their site has no power left. */
  withoutRoom?: WithoutRoom;
}

export interface StationsStaff {
  stations: StationStaff;
  tariffs: TariffStaff;
  promotions: PromotionStaff;
  photos: PhotoStaff;
}

export interface Stations {
  store: StationStore;
  service: StationService;
  deviceStates: DeviceStates;
  map: MapService;
  /** What staff may do, on record. */
  staff: StationsStaff;
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** Stations, wired: their pages, the map, and what changes when a device connects or disconnects. */
export function createStations(dependencies: StationDependencies): Stations {
  const { databaseUrl, isPooled, db, outbox, dueWork, clock, log, redrawEveryMs, withoutRoom } = dependencies;
  const store = createStationStore(db);
  const service = createStationService({ stations: store, parties: createPartyStore(db), clock, withoutRoom });
  const map = createMapService({
    databaseUrl,
    isPooled,
    outbox,
    log,
    ...(redrawEveryMs !== undefined && { redrawEveryMs }),
  });
  const maintenance = createMaintenanceWindows(clock);
  dueWork.register(maintenance.due);
  const tariffs = createTariffStaff(dependencies);
  dueWork.register(tariffs.due);

  return {
    store,
    service,
    deviceStates: createDeviceStates(),
    map,
    staff: {
      stations: createStationStaff({ ...dependencies, maintenance }),
      tariffs,
      promotions: createPromotionStaff(dependencies),
      photos: createPhotoStaff({ ...dependencies, encoder: createPhotoEncoder() }),
    },
    userTables: stationUserTables,
    routes: (routes: Routes): void => stationRoutes(routes, { service, map, photos: store.photos }),
  };
}
