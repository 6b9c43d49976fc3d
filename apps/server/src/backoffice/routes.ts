import { getAnomalies, getCounters, getTerminations } from '@fpay/contract/health';
import type { Routes } from '../platform/http/routes.ts';
import type { Health } from './health.ts';

export function backofficeRoutes(routes: Routes, health: Health): void {
  routes.on(getAnomalies, () => health.anomalies());
  routes.on(getCounters, () => health.counters());
  routes.on(getTerminations, () => health.terminations());
}
