import { randomUUID } from 'node:crypto';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { BalanceTransaction } from '@fpay/contract/wallet';
import { pageLimit } from '@fpay/contract/wire';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import type { Holder, WalletStore } from './store.ts';
import { balanceTransaction } from './transaction.ts';
import { correct, network, type Reserve, reserve, settle, type Transfer, walletsOf } from './transfer.ts';

interface Dependencies {
  ledger: WalletStore;
}

/** Moves money inside the caller's step: it moves together with whatever made it move, or not at all. */
export function createWalletService({ ledger }: Dependencies) {
  async function transfer(step: Step, transfers: readonly Transfer[]): Promise<Transfer[]> {
    const made = await ledger.post(step, transfers);
    for (const one of made) for (const wallet of walletsOf(one)) step.tell('wallet', wallet);
    return made;
  }

  async function holder(step: Step, user: number): Promise<Holder> {
    const found = await ledger.holder(user, step.db);
    if (!found) throw new Refusal('user_not_found');
    return found;
  }

  return {
    transfer,
    balanceOf: (user: number) => ledger.balanceOf(user),

    /** Sets a deposit aside from the wallet the user pays with. Whoever asked keeps what is returned: it is needed to settle. */
    async reserve(step: Step, asked: { operation: number; user: number; deposit: Kopecks }): Promise<Reserve> {
      const { operation, user, deposit } = asked;
      const { wallet } = await holder(step, user);
      const account = await ledger.openReserve(step, operation, wallet);
      const reserved = { operation, account, wallet, deposit };
      await transfer(step, reserve(reserved));
      return reserved;
    },

    /** What was used is earned, the rest returns to the wallet that paid. A total of 0 returns everything. */
    async settle(step: Step, reserved: Reserve, total: Kopecks): Promise<void> {
      await transfer(step, settle(reserved, total));
    },

    /**
     * After the settlement the total turned out to be another one. What was returned may be spent by now: only what is there
     * is taken. Gives the total that holds now.
     */
    async correct(
      step: Step,
      reserved: Reserve,
      { settled, total }: { settled: Kopecks; total: Kopecks },
    ): Promise<Kopecks> {
      const balances = await ledger.lock(step, [reserved.wallet]);
      const most = Math.min(reserved.deposit, settled + (balances.get(reserved.wallet) ?? 0));
      const within = kopecks(Math.min(total, most));
      const { count } = await ledger.corrections(step, reserved.operation);
      await transfer(step, correct(reserved, { settled, total: within, earlier: count }));
      return within;
    },

    /** A guest who becomes somebody takes along what is in the guest's wallet. */
    async moveAll(step: Step, from: number, to: number): Promise<void> {
      const [guest, user] = [await holder(step, from), await holder(step, to)];
      const amount = (await ledger.lock(step, [guest.wallet])).get(guest.wallet);
      if (!amount) return;
      // It may happen again with what a guest gets later, so each time has a key of its own; the lock makes it once.
      const key = `guest:${from}:joined:${randomUUID()}`;
      await transfer(step, [
        { key, kind: 'gift', from: guest.wallet, to: user.wallet, amount, sender: from, recipient: to },
      ]);
    },

    /** A promotion's reward, once per operation. False: it was given before. */
    async reward(
      step: Step,
      thanks: { promo: number; operation: number; user: number; amount: Kopecks },
    ): Promise<boolean> {
      const { promo, operation, user, amount } = thanks;
      const { wallet } = await holder(step, user);
      const key = `operation:${operation}:promo:${promo}`;
      const made = await transfer(step, [
        { key, kind: 'promo', from: network.promotions, to: wallet, amount, promo, operation, recipient: user },
      ]);
      return made.length > 0;
    },

    async transactions(user: number, page: { before?: number | undefined; limit?: number | undefined }) {
      const found = await ledger.holder(user);
      if (!found) throw new Refusal('user_not_found');
      const entries = await ledger.entries(found.wallet, {
        before: page.before,
        limit: page.limit ?? pageLimit.default,
      });
      return entries.map(balanceTransaction) satisfies BalanceTransaction[];
    },
  };
}

export type WalletService = ReturnType<typeof createWalletService>;
