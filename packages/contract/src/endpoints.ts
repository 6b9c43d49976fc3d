import * as account from './account.ts';
import * as charging from './charging.ts';
import type { Endpoint } from './endpoint.ts';
import * as feedback from './feedback.ts';
import * as health from './health.ts';
import * as history from './history.ts';
import * as maintenance from './maintenance.ts';
import * as payments from './payments.ts';
import * as profile from './profile.ts';
import * as realtime from './realtime.ts';
import * as rfid from './rfid.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as settings from './settings.ts';
import * as signUp from './sign-up.ts';
import * as stations from './stations.ts';
import * as wallet from './wallet.ts';

const features = [
  account,
  maintenance,
  realtime,
  settings,
  stations,
  payments,
  wallet,
  charging,
  feedback,
  rfid,
  health,
  history,
  profile,
  secondFactor,
  sessions,
  signUp,
];

/** Every call of the product. The server refuses to start when one of them has no handler. */
export const endpoints: readonly Endpoint[] = features.flatMap((feature) =>
  Object.values(feature).filter(
    (exported): exported is Endpoint =>
      typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported,
  ),
);
