import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import { statsRoutes } from './routes.ts';
import { createStats } from './service.ts';
import { createStatsStore } from './store.ts';

export interface StatsFeature {
  routes(routes: Routes): void;
}

/** A driver's history and statistics, wired. */
export function createStatsFeature({ db, clock }: Pick<Platform, 'db' | 'clock'>): StatsFeature {
  const service = createStats({ stats: createStatsStore(db), clock });
  return { routes: (routes: Routes): void => statsRoutes(routes, service) };
}
