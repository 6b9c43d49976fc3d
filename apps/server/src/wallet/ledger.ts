import type { Kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import type { Role } from '@fpay/contract/roles';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import type { Entry } from './transaction.ts';
import type { AccountId, Transfer } from './transfer.ts';

/** A user and the wallet they use. */
export interface WalletUser {
  user: number;
  name: string;
  phone: string;
  role: Role;
  isTemporary: boolean;
  language: Language;
  wallet: AccountId;
  /** False when another user's wallet is shared with this user. */
  ownsWallet: boolean;
  balance: Kopecks;
  /** The part of the balance that came from a closed party. */
  partyBalance: Kopecks;
}

/** Party money that arrived at an account by one transfer. */
export interface PartyArrival {
  transfer: Transfer;
  party: number;
  amount: Kopecks;
}

export interface Posted {
  /** The new ones. */
  made: Transfer[];
  partyArrivals: PartyArrival[];
}

export interface TransactionPage {
  before: number | undefined;
  limit: number;
}

/** What an operation has left of its earnings. */
export interface Earned {
  account: AccountId;
  left: Kopecks;
}

/** A transfer that was made before. */
export interface MadeTransfer extends Omit<Transfer, 'key' | 'takes' | 'arriving' | 'party'> {
  id: number;
  key: string;
}

/** Accounts, transfers and wallets. Of these only `post` refuses. */
export interface WalletStore {
  /**
   * Applies each transfer once. The database checks them, computes which part of each is party money, and maintains the
   * balances.
   * @refuses insufficient_balance
   */
  post(step: Step, transfers: readonly Transfer[]): Promise<Posted>;
  openReserve(step: Step, operation: number, wallet: AccountId): Promise<AccountId>;
  /** The account of what an operation has earned; opened when it is not there yet. */
  openEarned(step: Step, operation: number): Promise<AccountId>;
  /** The account of what an operation has earned, with what is left of it; null: it has none. A step locks it. */
  earned(operation: number, step?: Step): Promise<Earned | null>;
  /** The account for a payment's money that is being refunded. `wallet` is null when an operation had earned it. */
  openRefund(step: Step, payment: number, wallet: AccountId | null): Promise<AccountId>;
  /** 0 for a user who does not exist. */
  balanceOf(user: number): Promise<Kopecks>;
  /** Null: there is no such user, or the account was deleted. */
  holder(user: number, from?: Database | Step['db']): Promise<WalletUser | null>;
  /** The same, and the account cannot be deleted until the step ends, so that money on its way arrives. */
  lockWalletUser(step: Step, user: number): Promise<WalletUser | null>;
  /** Whether the user deleted the account. The query waits for a deletion in progress. */
  hasLeft(step: Step, user: number): Promise<boolean>;
  /**
   * Sender and recipient of a gift. Steps that change their party or wallet wait until this step ends, and the other
   * way round, so what is read here still holds when the money moves.
   */
  giftEnds(
    step: Step,
    sender: number,
    phone: string,
  ): Promise<{ sender: WalletUser | null; recipient: WalletUser | null }>;
  /** Users that are known by their ids, as when a party's owner gives to members. Locked like the ends of a gift. */
  giftUsers(step: Step, users: readonly number[]): Promise<Map<number, WalletUser>>;
  /** The sum that this user has given away since then. */
  giftedSince(step: Step, sender: number, since: Date): Promise<number>;
  lockUsers(step: Step, users: readonly number[]): Promise<void>;
  /** Serialises one sender's gifts, because the daily limit counts all of them. Locked before any account. */
  queueGifts(step: Step, sender: number): Promise<void>;
  /** Users of a wallet who have their own one, which they do not use meanwhile. */
  borrowersOf(step: Step, wallet: AccountId): Promise<{ user: number; ownWallet: number }[]>;
  usersOf(wallet: AccountId, from?: Database | Step['db']): Promise<{ users: number[]; balance: Kopecks } | null>;
  isMade(step: Step, key: string): Promise<boolean>;
  find(step: Step, id: number): Promise<MadeTransfer | null>;
  findByKey(step: Step, key: string): Promise<MadeTransfer | null>;
  /** How often an operation's total was corrected after its settlement. */
  corrections(step: Step, operation: number): Promise<number>;
  /** Locks accounts in the common order and returns their balances. The network's own have no balance here. */
  lock(step: Step, accounts: readonly AccountId[]): Promise<Map<AccountId, Kopecks>>;
  /** Newest first. Two indexes, one per side: each page costs the same for a history of any length. */
  entries(wallet: AccountId, page: TransactionPage): Promise<Entry[]>;
}
