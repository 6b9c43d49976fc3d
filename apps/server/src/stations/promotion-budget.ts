import type { Kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { kyivDate } from '../platform/kyiv-time.ts';
import type { Step } from '../platform/step.ts';

/**
 * Counts a reward for the day in Kyiv of `at`, before it is paid. False: the budget of that day has not enough left, and nothing may be
 * paid. Rewards at the same moment wait here for each other, so together they never pass the budget; the table refuses it too.
 */
export async function takeFromBudget(step: Step, promotion: number, amount: Kopecks, at: Date): Promise<boolean> {
  // Staff who change the budget wait until this step ends, and the other way round.
  const found = await step.db
    .selectFrom('promotions')
    .select('budget_per_day')
    .where('id', '=', promotion)
    .forShare()
    .executeTakeFirst();
  if (!found) return false;
  const { budget_per_day: budget } = found;
  if (budget !== null && amount > budget) return false;
  const { rows } = await sql`
    insert into promotion_days as known (promotion_id, day, paid, budget)
    values (${promotion}, ${kyivDate(at)}::date, ${amount}, ${budget}::bigint)
    on conflict (promotion_id, day) do update set paid = known.paid + excluded.paid, budget = excluded.budget
      where ${budget}::bigint is null or known.paid + excluded.paid <= ${budget}::bigint
    returning paid`.execute(step.db);
  return rows.length > 0;
}
