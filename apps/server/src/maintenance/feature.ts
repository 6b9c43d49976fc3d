import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import { maintenanceRoutes } from './routes.ts';
import { createMaintenance, type Maintenance } from './service.ts';

export interface MaintenanceFeature {
  service: Maintenance;
  routes(routes: Routes): void;
}

/** Shutdowns of the service, wired. */
export function createMaintenanceFeature(
  given: Pick<Platform, 'db' | 'steps' | 'outbox' | 'clock'>,
): MaintenanceFeature {
  const service = createMaintenance(given);
  return { service, routes: (routes: Routes): void => maintenanceRoutes(routes, service) };
}
