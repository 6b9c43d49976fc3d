import { kopecks } from '@fpay/contract/money';
import type { Clock } from '../platform/clock.ts';
import type { RowLoops } from '../platform/rows/row-loops.ts';
import type { Step } from '../platform/step.ts';
import { rewardsAt } from '../stations/connectors.ts';
import { isRunning, rewardTermsOf } from '../stations/promotion.ts';
import { takeFromBudget } from '../stations/promotion-budget.ts';
import type { WalletService } from '../wallet/service.ts';
import type { StaffLimits } from '../wallet/staff-limits.ts';
import type { OperationStore, StoredOperation } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  wallet: WalletService;
  staffLimits: Pick<StaffLimits, 'countReward'>;
  clock: Clock;
  rows: RowLoops;
  isRegistered: (step: Step, user: number) => Promise<boolean>;
  /** Who wrote the promotion profits from what this user gets. */
  isOfAuthor: (step: Step, promotion: number, user: number) => Promise<boolean>;
}

const promotionOf = ({ id }: { id: number }) => id;

/**
 * Credits promotion rewards when a charge finishes, once per operation. Guests get none, because they cannot spend a
 * balance.
 */
export function createReward({ operations, wallet, staffLimits, clock, rows, isRegistered, isOfAuthor }: Dependencies) {
  return async (step: Step, operation: StoredOperation): Promise<void> => {
    if (!(await isRegistered(step, operation.user))) return;
    const promotions = await rewardsAt(step, operation.connector);
    await rows.eachIn(step, 'charging.reward', promotions, promotionOf, async (promotion) => {
      const { id, days } = promotion;
      const terms = rewardTermsOf(promotion.terms);
      if (!terms) throw new Error('terms of a promotion cannot be read');
      const now = clock.now();
      if (!isRunning({ days }, now) || operation.energy < terms.min_energy) return;
      if (await isOfAuthor(step, id, operation.user)) {
        await operations.noteOnce(
          step,
          operation.id,
          'system',
          `promotion ${id}: no reward, because its author profits from it`,
        );
        return;
      }
      const { user } = operation;
      const thanks = { promo: id, operation: operation.id, user, amount: terms.amount };
      const due = await wallet.rewardOf(step, thanks);
      if (due === 0) return;
      if (!(await takeFromBudget(step, id, due, now))) {
        await operations.change(step, operation.id, { missed_reward: due });
        await operations.noteOnce(
          step,
          operation.id,
          'system',
          `promotion ${id}: no reward, its budget of today is used up`,
        );
        return;
      }
      const paid = await wallet.reward(step, thanks);
      await staffLimits.countReward(step, { promotion: id, user, amount: kopecks(paid) });
      await operations.note(step, operation.id, 'system', `promotion ${id}: ${paid} back to the balance`);
    });
  };
}
