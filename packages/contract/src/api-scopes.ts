import type { ApiScope } from './admin/integrations/api-keys.ts';
import {
  addWebhook,
  changeWebhook,
  pauseWebhook,
  redeliverWebhook,
  removeWebhook,
  renewWebhookSecret,
  resumeWebhook,
  testWebhook,
  webhookDeliveries,
  webhookList,
} from './admin/integrations/webhooks.ts';
import { chargePointList, chargePointView } from './admin/network/charge-points.ts';
import { networkOverview } from './admin/network/overview.ts';
import { stationReport } from './admin/network/station-report.ts';
import { networkStation, networkStations } from './admin/network/stations.ts';
import { networkTariff, networkTariffs } from './admin/network/tariffs.ts';
import {
  adminOperation,
  countOperations,
  lastOperations,
  operationCurve,
  operationTimeline,
} from './admin/operations.ts';
import { adminStats, adminStatsCharts } from './admin/stats.ts';
import type { Endpoint } from './endpoint.ts';
import { getConnectors, getStation } from './stations.ts';

/**
 * The calls that a key of each scope may make. A call that is not listed cannot be made with a key, also when anyone may
 * make it without one. Calls that move money are never listed, because a key has no nonce that makes a repeat harmless.
 */
export const scopeCalls: Record<ApiScope, readonly Endpoint[]> = {
  stations: [
    getStation,
    getConnectors,
    networkStations,
    networkStation,
    networkTariffs,
    networkTariff,
    chargePointList,
    chargePointView,
    networkOverview,
  ],
  operations: [lastOperations, countOperations, adminOperation, operationTimeline, operationCurve],
  statistics: [adminStats, adminStatsCharts, stationReport],
  webhooks: [
    webhookList,
    addWebhook,
    changeWebhook,
    removeWebhook,
    renewWebhookSecret,
    pauseWebhook,
    resumeWebhook,
    testWebhook,
    webhookDeliveries,
    redeliverWebhook,
  ],
};
