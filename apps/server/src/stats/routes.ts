import { getHistory, getStats } from '@fpay/contract/history';
import type { Routes } from '../platform/http/routes.ts';
import type { Stats } from './service.ts';

export function statsRoutes(routes: Routes, stats: Stats): void {
  routes.on(getHistory, ({ params, viewer }) => stats.history(viewer.id, params.range));
  routes.on(getStats, ({ params, viewer }) => stats.stats(viewer.id, params.range));
}
