import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import { maintenanceRoutes } from './routes.ts';
import { createMaintenance, type Maintenance } from './service.ts';
import { createMaintenanceStaffActions, type MaintenanceStaffActions } from './staff.ts';

export interface MaintenanceDependencies extends Pick<Platform, 'db' | 'steps' | 'outbox' | 'clock'> {
  audit: Audit;
}

export interface MaintenanceFeature {
  service: Maintenance;
  staff: MaintenanceStaffActions;
  routes(routes: Routes): void;
}

/** Shutdowns of the service, wired. */
export function createMaintenanceFeature(given: MaintenanceDependencies): MaintenanceFeature {
  const service = createMaintenance(given);
  return {
    service,
    staff: createMaintenanceStaffActions({ ...given, maintenance: service }),
    routes: (routes: Routes): void => maintenanceRoutes(routes, service),
  };
}
