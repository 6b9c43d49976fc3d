import account from './account.json';
import admin from './admin.json';
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
import networkBuild from './networkBuild.json';
import oversight from './oversight.json';
import party from './party.json';
import payment from './payment.json';
import qr from './qr.json';
import refusals from './refusals.json';
import rfid from './rfid.json';
import signInCode from './signInCode.json';
import station from './station.json';
import stats from './stats.json';
import status from './status.json';

/** Namespaces follow the features. */
export const texts = {
  account,
  admin,
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
  networkBuild,
  network,
  oversight,
  party,
  payment,
  qr,
  refusals,
  rfid,
  signInCode,
  station,
  stats,
  status,
};
