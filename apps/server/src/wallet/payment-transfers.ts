import { sql } from 'kysely';
import type { Step } from '../platform/step.ts';
import { type AccountId, network } from './transfer.ts';

const ofPayment = (step: Step, payment: number, kind: 'lost' | 'chargeback') =>
  step.db.selectFrom('transfers').where('payment_id', '=', payment).where('kind', '=', kind);

/** Sum of the returns that we did not request and that are already booked. */
export async function chargedBack(step: Step, payment: number): Promise<number> {
  const row = await ofPayment(step, payment, 'chargeback')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('sum'))
    .where('to_account', '=', network.clearing)
    .executeTakeFirstOrThrow();
  return row.sum;
}

/** The part of those returns that was booked as a loss. */
export async function chargebackLoss(step: Step, payment: number): Promise<number> {
  const { losses } = network;
  const signed = sql<number>`case when from_account = ${losses} then amount when to_account = ${losses} then -amount end`;
  const row = await ofPayment(step, payment, 'chargeback')
    .select(sql<number>`coalesce(sum(${signed}), 0)::bigint`.as('sum'))
    .executeTakeFirstOrThrow();
  return row.sum;
}

/** What promotions have paid out of an account of earnings, less what staff took back. */
export async function rewardsOf(step: Step, earned: AccountId): Promise<number> {
  const row = await step.db
    .selectFrom('transfers')
    .select(sql<number>`coalesce(sum(case when kind = 'promo' then amount else -amount end), 0)::bigint`.as('sum'))
    .where((of) =>
      of.or([
        of.and([of('from_account', '=', earned), of('kind', '=', 'promo')]),
        of.and([of('to_account', '=', earned), of('kind', '=', 'reversal')]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return row.sum;
}

/** How many transfers of a kind a payment has, so that the next one gets its own key. */
export async function transferCount(step: Step, payment: number, kind: 'lost' | 'chargeback'): Promise<number> {
  const row = await ofPayment(step, payment, kind)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}
