import { randomUUID } from 'node:crypto';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { BalanceTransaction } from '@fpay/contract/wallet';
import { pageLimit } from '@fpay/contract/wire';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import { paidByParty } from './colours.ts';
import type { PartyArrival, WalletStore, WalletUser } from './ledger.ts';
import { isWalletInParty, lockParts, ownerWalletOf } from './party-parts.ts';
import { balanceTransaction } from './transaction.ts';
import {
  type AccountId,
  correct,
  type Reserve,
  reserve,
  reward,
  rewardKey,
  settle,
  type Transfer,
  walletsOf,
} from './transfer.ts';

export interface NewReserve {
  operation: number;
  user: number;
  deposit: Kopecks;
  /** Only with what came from the closed party. */
  partyOnly?: boolean;
}

interface Thanks {
  promo: number;
  operation: number;
  user: number;
  amount: Kopecks;
}

/** Moves money inside the caller's step: it moves together with what caused it, or not at all. */
export interface WalletService {
  /**
   * Makes each transfer once, by its key, and returns those that were new.
   * @refuses insufficient_balance
   */
  transfer(step: Step, transfers: readonly Transfer[]): Promise<Transfer[]>;
  /** 0 for a user who does not exist. */
  balanceOf(user: number): Promise<Kopecks>;
  /**
   * Reserves a deposit from the wallet that the user pays with. The caller stores the returned reserve, because it is
   * needed to settle.
   * @refuses user_not_found, insufficient_balance
   */
  reserve(step: Step, asked: NewReserve): Promise<Reserve>;
  /** The used part is earned, the rest returns to the wallet that paid. A total of 0 returns everything. */
  settle(step: Step, reserved: Reserve, total: Kopecks): Promise<void>;
  /**
   * After the settlement the total was corrected. What was returned may be spent by now, so only the available part
   * is taken; what was reversed is not there any more, so only what is left of the earnings is returned. Gives the sum
   * that is now settled, which may be above the total.
   */
  correct(step: Step, reserved: Reserve, totals: { settled: Kopecks; total: Kopecks }): Promise<Kopecks>;
  /**
   * A guest who joins an account takes along the money of the guest's wallet.
   * @refuses user_not_found
   */
  moveAll(step: Step, from: number, to: number): Promise<void>;
  /**
   * A promotion's reward, once per operation, out of what the operation has earned: never more than is left of it.
   * Gives the sum that was credited now.
   * @refuses user_not_found
   */
  reward(step: Step, thanks: Thanks): Promise<Kopecks>;
  /** What `reward` would credit now. */
  rewardOf(step: Step, thanks: Omit<Thanks, 'user'>): Promise<Kopecks>;
  /**
   * Newest first.
   * @refuses user_not_found
   */
  transactions(
    user: number,
    page: { before?: number | undefined; limit?: number | undefined },
  ): Promise<BalanceTransaction[]>;
}

interface Dependencies {
  ledger: WalletStore;
}

/** Moves money inside the caller's step, so that both commit together. */
export function createWalletService({ ledger }: Dependencies): WalletService {
  async function transfer(step: Step, transfers: readonly Transfer[]): Promise<Transfer[]> {
    const { made, partyArrivals } = await ledger.post(step, transfers);
    for (const one of made) for (const wallet of walletsOf(one)) step.publish('wallet', wallet);
    for (const arrival of partyArrivals) await keepInParty(step, arrival);
    return made;
  }

  /**
   * What a charge gives back to somebody who left the party meanwhile goes on to the party's owner: party money is in the
   * wallets of members only.
   */
  async function keepInParty(step: Step, { transfer: one, party, amount }: PartyArrival): Promise<void> {
    const [wallet] = walletsOf(one).filter((account) => account === one.to);
    if (wallet === undefined || (await isWalletInParty(step, wallet, party))) return;
    const { wallet: to, owner } = await ownerWalletOf(step, party);
    await transfer(step, [
      {
        key: `${one.key}:party`,
        kind: 'party_return',
        from: wallet,
        to,
        amount,
        ...(one.operation === undefined ? {} : { operation: one.operation }),
        recipient: owner,
        arriving: 0,
      },
    ]);
  }

  async function holder(step: Step, user: number): Promise<WalletUser> {
    const found = await ledger.holder(user, step.db);
    if (!found) throw new Refusal('user_not_found');
    return found;
  }

  /** A reward goes to the money that paid the larger part of the charge. */
  async function rewardColour(step: Step, earned: AccountId, amount: Kopecks): Promise<Partial<Transfer>> {
    const isPartys = paidByParty(await lockParts(step, ledger, earned));
    return isPartys ? { takes: 'party', arriving: amount } : {};
  }

  async function rewardOf(step: Step, { promo, operation, amount }: Omit<Thanks, 'user'>): Promise<Kopecks> {
    if (await ledger.isMade(step, rewardKey(operation, promo))) return kopecks(0);
    const earned = await ledger.earned(operation, step);
    return kopecks(Math.min(amount, earned?.left ?? 0));
  }

  return {
    transfer,
    balanceOf: (user: number) => ledger.balanceOf(user),

    async reserve(step: Step, asked: NewReserve): Promise<Reserve> {
      const { operation, user, deposit, partyOnly = false } = asked;
      const { wallet } = await holder(step, user);
      const account = await ledger.openReserve(step, operation, wallet);
      const reserved = { operation, account, wallet, deposit };
      await transfer(step, reserve(reserved, { partyOnly }));
      return reserved;
    },

    async settle(step: Step, reserved: Reserve, total: Kopecks): Promise<void> {
      const earned = await ledger.openEarned(step, reserved.operation);
      await transfer(step, settle(reserved, { total, earned }));
    },

    async correct(
      step: Step,
      reserved: Reserve,
      { settled, total }: { settled: Kopecks; total: Kopecks },
    ): Promise<Kopecks> {
      const { operation, wallet, deposit } = reserved;
      const earned = await ledger.openEarned(step, operation);
      const balances = await ledger.lock(step, [wallet, earned]);
      const most = Math.min(deposit, settled + (balances.get(wallet) ?? 0));
      const least = settled - (balances.get(earned) ?? 0);
      const within = kopecks(Math.max(least, Math.min(total, most)));
      const earlier = await ledger.corrections(step, operation);
      await transfer(step, correct(reserved, { settled, total: within, earlier, earned }));
      return within;
    },

    async moveAll(step: Step, from: number, to: number): Promise<void> {
      const [guest, user] = [await holder(step, from), await holder(step, to)];
      const amount = (await ledger.lock(step, [guest.wallet])).get(guest.wallet);
      if (!amount) return;
      // It may happen again with money that a guest gets later, so each time has its own key; the lock makes it once.
      const key = `guest:${from}:joined:${randomUUID()}`;
      await transfer(step, [
        { key, kind: 'gift', from: guest.wallet, to: user.wallet, amount, sender: from, recipient: to },
      ]);
    },

    rewardOf,

    async reward(step: Step, thanks: Thanks): Promise<Kopecks> {
      const { operation, user } = thanks;
      const { wallet } = await holder(step, user);
      const amount = await rewardOf(step, thanks);
      const earned = await ledger.earned(operation, step);
      if (earned === null || amount === 0) return amount;
      const colour = await rewardColour(step, earned.account, amount);
      await transfer(step, reward({ ...thanks, amount }, { earned: earned.account, wallet }, colour));
      return amount;
    },

    async transactions(user: number, page: { before?: number | undefined; limit?: number | undefined }) {
      const found = await ledger.holder(user);
      if (!found) throw new Refusal('user_not_found');
      const entries = await ledger.entries(found.wallet, {
        before: page.before,
        limit: page.limit ?? pageLimit.default,
      });
      return entries.map((entry) => balanceTransaction(entry, user)) satisfies BalanceTransaction[];
    },
  };
}
