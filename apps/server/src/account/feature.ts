import type { RefusalCode } from '@fpay/contract/refusals';
import { createPartyStore } from '../party/store.ts';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import { runParts } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import { type UserTables, userDeleted, userMerged } from '../platform/user-tables.ts';
import { type Codes, createCodes } from './codes/codes.ts';
import { type CodeSettings, createPhoneCodes } from './codes/phone-codes.ts';
import { createGuests, type Guests } from './guests/guests.ts';
import { createReturnTokens, type ReturnTokens } from './guests/return-tokens.ts';
import { createManagedAccounts, type ManagedAccounts } from './managed-accounts.ts';
import type { AccountNotifications } from './notifications.ts';
import { type AccountDeletion, createAccountDeletion } from './profile/delete-account.ts';
import { createOwnData } from './profile/own-data.ts';
import { createProfiles } from './profile/profile.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { accountRoutes } from './routes.ts';
import { type AccountService, createAccountService } from './service.ts';
import { createConfirmations } from './sign-in/confirmation.ts';
import { createKnownDevices } from './sign-in/known-devices.ts';
import { createSecondFactor } from './sign-in/second-factor.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';
import { createSessions, type UserSessions } from './sign-in/sessions.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { createSignInLimits } from './sign-in/sign-in-limits.ts';
import { createSignedInDevices } from './sign-in/signed-in-devices.ts';
import { createSignUp } from './sign-up/sign-up.ts';
import { signUpRoutes } from './sign-up/sign-up-routes.ts';
import { createUserStaffActions, type RevokeKeys, type UserStaffActions } from './staff.ts';
import { createUserStore, type UserStore } from './store.ts';
import { userLogText } from './user-log.ts';
import { accountUserTables } from './user-tables.ts';

export interface AccountSettings {
  codes: CodeSettings;
  hasSecondFactor: boolean;
  termsVersion: string;
  publicUrl: URL;
  botUrl: string;
}

export interface AccountDependencies extends Pick<Platform, 'db' | 'steps' | 'rows' | 'clock' | 'limits' | 'log'> {
  /** Keys the hashes of one-time codes. */
  secret: string;
  settings: AccountSettings;
  outgoing: AccountNotifications;
  audit: Audit;
  revokeKeys: RevokeKeys;
  /** Null without a bot. */
  telegramLink: ((userId: number) => string) | null;
  /** What the other features do with their rows when a user is merged or deleted, in this order. */
  userTables: readonly UserTables[];
  /** The reasons of other features against a deletion, in the order in which the driver is informed. */
  obstacles: readonly ((step: Step, userId: number) => Promise<RefusalCode | null>)[];
  openOperationsOf: (userId: number) => Promise<{ id: number }[]>;
  ownWalletOf: (step: Step, userId: number) => Promise<number>;
  wallet: {
    balanceOf(userId: number): Promise<number>;
    transactions(userId: number, page: { before?: number; limit: number }): Promise<{ id: number }[]>;
  };
}

/** Users as other features see them. */
export interface Accounts {
  users: UserStore;
  sessions: UserSessions;
  account: AccountService;
  guests: Guests;
  codes: Codes;
  leaving: AccountDeletion;
  managed: ManagedAccounts;
  staff: UserStaffActions;
  /** A registered user by a phone or an id, as staff type it; null when there is none. */
  userOf(text: string): Promise<number | null>;
  /** What decides about a charge before the user has confirmed a reset password. */
  unconfirmed: { closedPartyOf(user: number): Promise<number | null>; getsCodes(user: number): Promise<boolean> };
  /** What happened to a user, line by line; null: there is no such user. */
  logText(user: number): Promise<string | null>;
  returnTokens: ReturnTokens;
  /** The answers of every feature to a merge or a deletion, for the test that none is missing. */
  userTables: readonly UserTables[];
  /** A guest may come back from the bank in another browser, so the address carries a token that restores the session. */
  returnUrl(step: Step, path: string, user: number): Promise<string>;
  routes(routes: Routes): void;
  /** Once a minute, on one worker. */
  sweep(): Promise<void>;
  /** Once a night, on one worker. */
  nightly(): Promise<void>;
}

/** Accounts, wired: users, how they sign in, what they may change, how they delete the account. */
export function createAccounts(dependencies: AccountDependencies): Accounts {
  const { db, steps, rows, clock, limits, log, secret, settings, outgoing, telegramLink, wallet } = dependencies;
  const { obstacles, openOperationsOf, ownWalletOf } = dependencies;
  const { hasSecondFactor, termsVersion, publicUrl, botUrl } = settings;
  const isHttps = publicUrl.protocol === 'https:';
  const users = createUserStore(db, steps, clock);
  const sessions = createSessions(db, clock, { hasSecondFactor });
  const codes = createCodes({ db, clock, secret });
  const phoneCodes = createPhoneCodes({ users, codes, limits, outgoing, settings: settings.codes, log });
  const returnTokens = createReturnTokens(db, clock);
  const userTables = [...dependencies.userTables, accountUserTables({ clock, sessions })];
  const onUserMerged = (step: Step, from: number, to: number) => userMerged(userTables, step, from, to);
  const onUserDeleted = (step: Step, user: number) => userDeleted(userTables, step, user);
  const guests = createGuests({ db, steps, rows, clock, users, onUserMerged });
  const secondFactor = createSecondFactor({ isOn: hasSecondFactor, db, steps, clock, users, codes, phoneCodes });
  const account = createAccountService({
    users,
    limits,
    openOperationsOf,
    parties: createPartyStore(db),
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
  const leaving = createAccountDeletion({
    steps,
    clock,
    users,
    outgoing,
    obstacles,
    onUserDeleted,
    ownWalletOf,
  });
  const ownData = createOwnData({ db, clock, limits, transactions: wallet.transactions });

  return {
    users,
    sessions,
    account,
    guests,
    codes,
    leaving,
    managed: createManagedAccounts({ users, sessions, outgoing }),
    staff: createUserStaffActions({ ...dependencies, users, sessions }),
    async userOf(text) {
      const byId = text.startsWith('+') ? null : await users.find(Number(text));
      const found = byId ?? (await users.credentials(`+${text.replace('+', '')}`));
      return found && !found.isTemporary ? found.id : null;
    },
    unconfirmed: {
      closedPartyOf: (user) => createPartyStore(db).closedPartyOf(user),
      async getsCodes(user) {
        const found = await users.find(user);
        return found !== null && phoneCodes.reaches(found);
      },
    },
    logText: (user) => userLogText(db, user),
    userTables,
    returnTokens,
    async returnUrl(step: Step, path: string, user: number): Promise<string> {
      const url = new URL(path, publicUrl);
      const token = await returnTokens.issue(step, user);
      if (token !== null) url.searchParams.set('return', token);
      return url.href;
    },

    routes(routes: Routes): void {
      const disconnect = (userId: number) => steps.run(async (step) => step.publish('signed-out', userId));
      accountRoutes(routes, { account, signIns, disconnect, isHttps });
      sessionRoutes(routes, {
        devices: createSignedInDevices({ steps, users, sessions }),
        account,
        confirmations: createConfirmations({ steps, users, sessions, codes, phoneCodes }),
      });
      signUpRoutes(routes, { account, signUps, phoneCodes, secondFactor, signInLimits, knownDevices, isHttps });
      profileRoutes(routes, { account, profiles, leaving, ownData });
    },

    async sweep(): Promise<void> {
      await runParts([
        { name: 'sessions', run: sessions.removeEnded },
        { name: 'codes', run: codes.removeOld },
        { name: 'return tokens', run: returnTokens.removeOld },
        { name: 'second factor', run: secondFactor.removeOld },
        { name: 'guests', run: guests.follow },
      ]);
    },

    async nightly(): Promise<void> {
      await guests.removeOld();
    },
  };
}
