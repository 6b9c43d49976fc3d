import * as account from './account.ts';
import * as adminApprovals from './admin/approvals.ts';
import * as adminAskRefund from './admin/ask-refund.ts';
import * as adminAudit from './admin/audit.ts';
import * as adminBalance from './admin/balance.ts';
import * as adminCases from './admin/cases.ts';
import * as adminExport from './admin/export.ts';
import * as adminFeedback from './admin/feedback.ts';
import * as adminApiKeys from './admin/integrations/api-keys.ts';
import * as adminOcpi from './admin/integrations/ocpi.ts';
import * as adminWebhooks from './admin/integrations/webhooks.ts';
import * as adminMoney from './admin/money.ts';
import * as adminNetworkCards from './admin/network/cards.ts';
import * as adminChargePoints from './admin/network/charge-points.ts';
import * as adminNetworkCodes from './admin/network/codes.ts';
import * as adminCommissioning from './admin/network/commissioning.ts';
import * as adminDeviceCommands from './admin/network/device-commands.ts';
import * as adminNetworkExchange from './admin/network/exchange.ts';
import * as adminOverview from './admin/network/overview.ts';
import * as adminNetworkParties from './admin/network/parties.ts';
import * as adminNetworkPhotos from './admin/network/photos.ts';
import * as adminNetworkPromotions from './admin/network/promotions.ts';
import * as adminSites from './admin/network/sites.ts';
import * as adminStationReport from './admin/network/station-report.ts';
import * as adminNetworkStations from './admin/network/stations.ts';
import * as adminNetworkTariffs from './admin/network/tariffs.ts';
import * as adminNotes from './admin/notes.ts';
import * as adminOperationActions from './admin/operation-actions.ts';
import * as adminOperations from './admin/operations.ts';
import * as adminReasons from './admin/reasons.ts';
import * as adminSearch from './admin/search.ts';
import * as adminShutdown from './admin/shutdown.ts';
import * as adminStats from './admin/stats.ts';
import * as adminUserNow from './admin/user-now.ts';
import * as adminUsers from './admin/users.ts';
import * as adminWatch from './admin/watch.ts';
import * as cards from './cards.ts';
import * as charging from './charging.ts';
import type { Endpoint } from './endpoint.ts';
import * as favourites from './favourites.ts';
import * as feedback from './feedback.ts';
import * as freeAlerts from './free-alerts.ts';
import * as health from './health.ts';
import * as history from './history.ts';
import * as maintenance from './maintenance.ts';
import * as pageErrors from './page-errors.ts';
import * as party from './party.ts';
import * as payments from './payments.ts';
import * as photos from './photos.ts';
import * as powerCurve from './power-curve.ts';
import * as profile from './profile.ts';
import * as push from './push.ts';
import * as realtime from './realtime.ts';
import * as rfid from './rfid.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as settings from './settings.ts';
import * as signUp from './sign-up.ts';
import * as siteQueue from './site-queue.ts';
import * as stations from './stations.ts';
import * as support from './support.ts';
import * as wallet from './wallet.ts';

const features = [
  account,
  maintenance,
  realtime,
  settings,
  stations,
  party,
  payments,
  photos,
  wallet,
  cards,
  charging,
  powerCurve,
  favourites,
  feedback,
  freeAlerts,
  siteQueue,
  pageErrors,
  push,
  rfid,
  health,
  history,
  profile,
  secondFactor,
  sessions,
  signUp,
  support,
  adminApiKeys,
  adminApprovals,
  adminAskRefund,
  adminAudit,
  adminBalance,
  adminCases,
  adminExport,
  adminFeedback,
  adminMoney,
  adminNetworkCards,
  adminNetworkCodes,
  adminNetworkExchange,
  adminNetworkParties,
  adminNetworkPhotos,
  adminNetworkPromotions,
  adminNetworkStations,
  adminNetworkTariffs,
  adminChargePoints,
  adminDeviceCommands,
  adminCommissioning,
  adminOverview,
  adminSites,
  adminStationReport,
  adminNotes,
  adminOcpi,
  adminOperationActions,
  adminOperations,
  adminReasons,
  adminSearch,
  adminShutdown,
  adminStats,
  adminUserNow,
  adminUsers,
  adminWatch,
  adminWebhooks,
];

const ofFeatures = features.flatMap((feature) =>
  Object.values(feature).filter(
    (exported): exported is Endpoint =>
      typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported,
  ),
);
/** Two actions can have the same endpoint. */
const ofActions: readonly Endpoint[] = adminOperationActions.actionRecords.map(({ endpoint }) => endpoint);

/** Every call of the product. The server refuses to start when one of them has no handler. */
export const endpoints: readonly Endpoint[] = [...new Set([...ofFeatures, ...ofActions])];
