import { kopecks } from '@fpay/contract/money';
import * as z from 'zod/mini';
import type { Clock } from '../platform/clock.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step } from '../platform/step.ts';
import { isRunning } from '../stations/promotion.ts';
import type { WalletService } from '../wallet/service.ts';
import type { Operation, OperationStore } from './store.ts';

const Terms = z.object({ min_energy_wh: z.int(), amount: z.int() });

interface Dependencies {
  operations: OperationStore;
  wallet: WalletService;
  clock: Clock;
  rows: RowLoops;
}

const promotionOf = ({ id }: { id: number }) => id;

/** Promotions that thank for a finished charge: money back to the balance, once per operation. Guests have no balance to thank. */
export function createReward({ operations, wallet, clock, rows }: Dependencies) {
  return async (step: Step, operation: Operation): Promise<void> => {
    const owner = await step.db
      .selectFrom('users')
      .select('is_temporary')
      .where('id', '=', operation.user)
      .executeTakeFirst();
    if (owner?.is_temporary !== false) return;
    const promotions = await step.db
      .selectFrom('promotions')
      .innerJoin('connectors', (join) => join.on('connectors.id', '=', operation.connector))
      .select(['promotions.id', 'promotions.terms', 'promotions.from_day', 'promotions.to_day'])
      .where('promotions.kind', '=', 'reward')
      // At a virtual station it is the real one that gives.
      .whereRef('promotions.station_id', '=', 'connectors.station_id')
      .execute();
    await rows.eachIn(step, 'charging.reward', promotions, promotionOf, async (promotion) => {
      const { id, terms: raw, from_day: from, to_day: to } = promotion;
      const terms = Terms.safeParse(raw);
      const days = from && to ? { from, to } : null;
      if (!terms.success || !isRunning({ days }, clock.now()) || operation.energy < terms.data.min_energy_wh) return;
      const amount = kopecks(terms.data.amount);
      const isNew = await wallet.reward(step, { promo: id, operation: operation.id, user: operation.user, amount });
      if (isNew) await operations.note(step, operation.id, 'system', `promotion ${id}: ${amount} back to the balance`);
    });
  };
}
