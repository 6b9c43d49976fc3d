import type { BalanceEffect } from '@fpay/contract/admin/balance';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { AccountId } from './transfer.ts';

/** What an action did inside a step that will be undone. */
export interface Rehearsed {
  wanted: Kopecks;
  amount: Kopecks;
  wallets: readonly AccountId[];
  needsApproval?: boolean;
  toCard?: boolean;
}

/** Carries the effect out of the transaction, which is rolled back by it. */
class Rehearsal extends Error {
  readonly effect: BalanceEffect;
  constructor(effect: BalanceEffect) {
    super('the transaction was a rehearsal');
    this.effect = effect;
  }
}

const nothing = { amount: kopecks(0), is_partial: false, needs_approval: false, to_card: false, wallets: [] };

/**
 * The effect of an action on balances, found by doing it in a transaction that is rolled back. So the preview cannot differ from
 * the action: it has the same checks, the same sums and the same locks, for some milliseconds.
 */
export async function rehearse(
  steps: Steps,
  walletsOf: (step: Step) => Promise<readonly AccountId[]>,
  work: (step: Step) => Promise<Rehearsed>,
): Promise<BalanceEffect> {
  try {
    await steps.run(async (step) => {
      const before = await balancesOf(step, await walletsOf(step));
      const { wanted, amount, wallets, needsApproval = false, toCard = false } = await work(step);
      const after = await balancesOf(step, wallets);
      throw new Rehearsal({
        is_allowed: true,
        refusal: null,
        amount,
        is_partial: amount < wanted,
        needs_approval: needsApproval,
        to_card: toCard,
        wallets: after.map(({ wallet, user, name, balance }) => ({
          user_id: user,
          name,
          from: before.find((one) => one.wallet === wallet)?.balance ?? balance,
          to: balance,
        })),
      });
    });
  } catch (error) {
    if (error instanceof Rehearsal) return error.effect;
    if (error instanceof Refusal) return { is_allowed: false, refusal: error.code, ...nothing };
    throw error;
  }
  throw new Error('a rehearsal was committed');
}

/** The wallets among these accounts, with their owners; the network's own accounts are no wallets. */
async function balancesOf(step: Step, accounts: readonly AccountId[]) {
  const { rows } = await sql<{ wallet: number; user: number; name: string; balance: number }>`
    select w.id as wallet, u.id as user, u.name, a.balance from wallets w join users u on u.id = w.owner_id
      join accounts a on a.id = w.id where w.id = any (${accounts}::bigint[]) order by w.id`.execute(step.db);
  return rows.map((row) => ({ ...row, balance: kopecks(Number(row.balance)) }));
}
