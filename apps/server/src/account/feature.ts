import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Routes } from '../platform/http/routes.ts';
import { runParts } from '../platform/parts.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createCodes } from './codes.ts';
import { createGuests } from './guests.ts';
import { createKnownDevices } from './known-devices.ts';
import { createLeaving } from './leaving.ts';
import type { Outgoing } from './outgoing.ts';
import { createOwnData } from './own-data.ts';
import { type CodeSettings, createPhoneCodes } from './phone-codes.ts';
import { createProfiles } from './profile.ts';
import { profileRoutes } from './profile-routes.ts';
import { createReturnTokens } from './return-tokens.ts';
import { accountRoutes } from './routes.ts';
import { createSecondFactor } from './second-factor.ts';
import { createAccountService } from './service.ts';
import { sessionRoutes } from './session-routes.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createSignInLimits } from './sign-in-limits.ts';
import { createSignUp } from './sign-up.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { createSignedInDevices } from './signed-in-devices.ts';
import { createUserStore } from './store.ts';
import { userLogText } from './user-log.ts';

export interface AccountSettings {
  codes: CodeSettings;
  hasSecondFactor: boolean;
  termsVersion: string;
  isHttps: boolean;
  botUrl: string;
}

export interface AccountDependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  limits: RateLimits;
  log: Logger;
  /** Keys the hashes of one-time codes. */
  secret: string;
  settings: AccountSettings;
  outgoing: Outgoing;
  /** Null without a bot. */
  telegramLink: ((userId: number) => string) | null;
  withdrawUnpaid: (step: Step, userId: number, why: string) => Promise<unknown>;
  wallet: {
    balanceOf(userId: number): Promise<number>;
    /** Everything in the first user's wallet goes to the second's. */
    moveAll(step: Step, from: number, to: number): Promise<void>;
    transactions(userId: number, page: { before?: number; limit: number }): Promise<{ id: number }[]>;
  };
}

/** Accounts, wired: who users are, how they prove it, what they may change, how they leave. */
export function createAccounts(dependencies: AccountDependencies) {
  const { db, steps, rows, clock, limits, log, secret, settings, outgoing, telegramLink, withdrawUnpaid, wallet } =
    dependencies;
  const { hasSecondFactor, termsVersion, isHttps, botUrl } = settings;
  const users = createUserStore(db, steps, clock);
  const sessions = createSessions(db, clock, { hasSecondFactor });
  const codes = createCodes({ db, clock, secret });
  const phoneCodes = createPhoneCodes({ users, codes, limits, outgoing, settings: settings.codes, log });
  const returnTokens = createReturnTokens(db, clock);
  const guests = createGuests({ db, steps, rows, clock, users, sessions, moveMoney: wallet.moveAll, withdrawUnpaid });
  const secondFactor = createSecondFactor({ isOn: hasSecondFactor, db, steps, clock, users, codes, phoneCodes });
  const account = createAccountService({
    users,
    limits,
    balanceOf: wallet.balanceOf,
    botUrl,
    returnTokens,
    ...(telegramLink && { telegramLink }),
  });
  const signInLimits = createSignInLimits(limits);
  const knownDevices = createKnownDevices({ secret, clock });
  const proofs = { codes, phoneCodes, secondFactor };
  const signIns = createSignIn({ users, guests, ...proofs, signInLimits, knownDevices, log });
  const signUps = createSignUp({ steps, users, sessions, codes, phoneCodes, outgoing, termsVersion });
  const profiles = createProfiles({ steps, clock, users, sessions, codes, phoneCodes, limits, outgoing });
  const leaving = createLeaving({ steps, clock, users, sessions, outgoing });
  const ownData = createOwnData({ db, clock, limits, transactions: wallet.transactions });

  return {
    users,
    sessions,
    account,
    guests,
    codes,
    leaving,
    /** For charging: what the bank's redirect carries for a guest. */
    returnTokens,

    routes(routes: Routes): void {
      const disconnect = (userId: number) => steps.run(async (step) => step.tell('signed-out', userId));
      accountRoutes(routes, { account, signIns, disconnect, isHttps });
      sessionRoutes(routes, createSignedInDevices({ steps, users, sessions }));
      signUpRoutes(routes, { account, signUps, phoneCodes, secondFactor, signInLimits, knownDevices, isHttps });
      profileRoutes(routes, { account, profiles, leaving, ownData, logText: (id) => userLogText(db, id) });
    },

    /** Once a minute, on one worker. */
    async sweep(): Promise<void> {
      await runParts([
        { name: 'sessions', run: sessions.removeEnded },
        { name: 'codes', run: codes.removeOld },
        { name: 'return tokens', run: returnTokens.removeOld },
        { name: 'second factor', run: secondFactor.removeOld },
        { name: 'guests', run: guests.follow },
      ]);
    },

    /** Once a night, on one worker. */
    async nightly(): Promise<void> {
      await guests.removeOld();
    },
  };
}

export type Accounts = ReturnType<typeof createAccounts>;
