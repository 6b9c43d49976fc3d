import { isDown } from '@fpay/contract/maintenance';
import type { Routes } from '../platform/http/routes.ts';
import type { Maintenance } from './service.ts';

export function maintenanceRoutes(routes: Routes, maintenance: Maintenance): void {
  routes.on(isDown, async () => maintenance.state());
}
