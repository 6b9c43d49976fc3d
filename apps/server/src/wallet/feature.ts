import { kopecks } from '@fpay/contract/money';
import type { RefusalCode } from '@fpay/contract/refusals';
import { createPartyStore } from '../party/store.ts';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { createWalletEvents, type PublishBalance } from './events.ts';
import { createGifts, type Gifts } from './gift.ts';
import { createGiftProbes } from './gift-probes.ts';
import type { WalletStore } from './ledger.ts';
import { walletRoutes } from './routes.ts';
import { createWalletService, type WalletService } from './service.ts';
import { createSharedWallets, type SharedWallets, type WalletUsers } from './shared-wallet.ts';
import { createStaffMoney, type PaymentSide, type StaffMoneyService } from './staff.ts';
import { createStaffLimits, type StaffLimits } from './staff-limits.ts';
import { createWalletStore } from './store.ts';
import { moneyOf, ownWalletOf, walletUserTables } from './user-tables.ts';

export interface WalletDependencies extends Pick<Platform, 'db' | 'steps' | 'outbox' | 'limits' | 'clock' | 'log'> {
  audit: Audit;
  approvals: Approvals;
  /** How much one user may give away in a day, in kopecks. */
  giftsPerDay: number;
  /** What one staff member may give away in a day, and one recipient may get, without a second staff member, in kopecks. */
  staffLimit: number;
  /** Whether an action of staff waits whatever its sum, because it may be about their own money. */
  needsSecondPerson: StaffLimits['needsSecondPerson'];
  /** What only payments know of a reversal. Payments need the wallet first, so they are asked when there is one. */
  paymentSide: () => PaymentSide;
  users: WalletUsers;
  /** Sends a message to the pages of a group of users. */
  publish: PublishBalance;
}

export interface Wallet {
  ledger: WalletStore;
  service: WalletService;
  gifts: Gifts;
  staffMoney: StaffMoneyService;
  staffLimits: StaffLimits;
  sharedWallets: SharedWallets;
  /** What stands against the deletion of an account; null: nothing. */
  obstacle(step: Step, user: number): Promise<RefusalCode | null>;
  ownWalletOf(step: Step, user: number): Promise<number>;
  /** What becomes of this feature's rows when an account is merged or deleted. */
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** Wallets, wired: balances and the ledger behind them, gifts, shared wallets, and what staff may do. */
export function createWallet(given: WalletDependencies): Wallet {
  const { db, steps, outbox, limits, clock, log, audit, giftsPerDay, paymentSide, users, publish } = given;
  const parties = createPartyStore(db);
  const ledger = createWalletStore(db, clock);
  const service = createWalletService({ ledger });
  const gifts = createGifts({ steps, ledger, wallet: service, parties, clock, giftsPerDay: kopecks(giftsPerDay) });
  const staffLimits = createStaffLimits({
    approvals: given.approvals,
    clock,
    limit: kopecks(given.staffLimit),
    needsSecondPerson: given.needsSecondPerson,
  });
  const staffMoney = createStaffMoney({
    steps,
    ledger,
    wallet: service,
    paymentSide,
    audit,
    approvals: given.approvals,
    users,
    limits: staffLimits,
    limit: kopecks(given.staffLimit),
  });
  const sharedWallets = createSharedWallets({ steps, ledger, parties, audit, users });
  const walletChanged = createWalletEvents({ ledger, publish, log });
  outbox.subscribe('wallet', (ref) => void walletChanged(ref));

  return {
    ledger,
    service,
    gifts,
    staffMoney,
    staffLimits,
    sharedWallets,
    userTables: walletUserTables(service),
    obstacle: moneyOf,
    ownWalletOf,
    routes(routes: Routes): void {
      walletRoutes(routes, { wallet: service, gifts, giftProbes: createGiftProbes(limits) });
    },
  };
}
