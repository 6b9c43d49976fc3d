import account from './account.json';
import admin from './admin.json';
import adminAudit from './adminAudit.json';
import adminCases from './adminCases.json';
import adminFeedback from './adminFeedback.json';
import adminHealth from './adminHealth.json';
import adminHome from './adminHome.json';
import adminMoney from './adminMoney.json';
import adminOperations from './adminOperations.json';
import adminPhrases from './adminPhrases.json';
import adminShutdown from './adminShutdown.json';
import adminStats from './adminStats.json';
import adminUsers from './adminUsers.json';
import auth from './auth.json';
import balance from './balance.json';
import cars from './cars.json';
import generic from './generic.json';
import history from './history.json';
import instruction from './instruction.json';
import integrations from './integrations.json';
import maintenance from './maintenance.json';
import map from './map.json';
import menu from './menu.json';
import network from './network.json';
import networkCards from './networkCards.json';
import networkChargePoints from './networkChargePoints.json';
import networkCommissioning from './networkCommissioning.json';
import networkOverview from './networkOverview.json';
import networkParties from './networkParties.json';
import networkPromotions from './networkPromotions.json';
import networkReport from './networkReport.json';
import networkSites from './networkSites.json';
import networkStations from './networkStations.json';
import networkTariffs from './networkTariffs.json';
import party from './party.json';
import payment from './payment.json';
import qr from './qr.json';
import refusals from './refusals.json';
import rfid from './rfid.json';
import signInCode from './signInCode.json';
import station from './station.json';
import stats from './stats.json';
import status from './status.json';
import support from './support.json';

/** Namespaces follow the features. */
export const texts = {
  admin,
  adminAudit,
  adminCases,
  adminFeedback,
  adminHealth,
  adminHome,
  adminMoney,
  adminOperations,
  adminPhrases,
  adminShutdown,
  adminStats,
  adminUsers,
  network,
  networkCards,
  networkChargePoints,
  networkCommissioning,
  networkOverview,
  networkParties,
  networkPromotions,
  networkReport,
  networkSites,
  networkStations,
  networkTariffs,
  account,
  auth,
  balance,
  cars,
  generic,
  history,
  integrations,
  instruction,
  maintenance,
  map,
  menu,
  party,
  payment,
  qr,
  refusals,
  rfid,
  signInCode,
  station,
  stats,
  status,
  support,
};
