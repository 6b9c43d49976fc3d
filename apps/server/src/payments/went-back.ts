import { kopecks } from '@fpay/contract/money';
import type { WentBack } from '@fpay/contract/went-back';
import { sql } from 'kysely';

/** Of the captured money of a payment: what has gone back or is on its way. */
export const returnedAmount = sql<number>`(coalesce(payments.refunded, 0) + coalesce((select sum(r.amount) from refunds r
  where r.payment_id = payments.id and r.status in ('asked', 'processing')), 0))::bigint`;

/** How a statement names the table of operations. */
type Named = 'o' | 'operations';

/**
 * What of the price of a charge went back to its driver. Money that was captured above the price is none of it: it returns by
 * itself.
 */
export function wentBackAmount(named: Named) {
  const total = sql.ref<number>(`${named}.total`);
  return sql<number>`(case when payments.captured > 0 then least(${total}, payments.captured)
    - least(${total}, greatest(0, payments.captured - ${returnedAmount})) else 0 end)::bigint`;
}

/** The returns by staff: to the card each refund, to the balance the reversal of the payment. Null: there are none. */
function returnsOf(named: Named) {
  const part = (amount: string, status: unknown, ended: string, reason: unknown) =>
    sql`jsonb_agg(jsonb_build_object('amount', ${sql.ref(amount)}, 'status', ${status}, 'asked', t.created_at,
      'ended', ${sql.ref(ended)}, 'reason', ${reason}) order by t.id)`;
  return sql`case when payments.method = 'bank' then (
      select ${part('t.amount', sql`t.status`, 't.ended_at', sql`t.reason`)}
      from refunds t where t.payment_id = payments.id and t.staff_id is not null)
    when payments.refunded > 0 then (
      select ${part('t.amount', sql`'success'`, 't.created_at', sql`null`)}
      from transfers t join accounts a on a.id = t.from_account and a.kind = 'earned'
      where t.operation_id = ${sql.ref(`${named}.id`)} and t.kind = 'reversal') end`;
}

/** One column for statements over operations and their `payments`, so that a charge and its returns are of one moment. */
export const wentBackColumn = (named: Named) =>
  sql<WentBackRow | null>`(select case when back.returns is not null or ${wentBackAmount(named)} > 0
    then jsonb_build_object('amount', ${wentBackAmount(named)}, 'returns', coalesce(back.returns, '[]')) end
    from (select ${returnsOf(named)} as returns) back)`;

interface WentBackRow {
  amount: number;
  returns: { amount: number; status: string; asked: string; ended: string | null; reason: string | null }[];
}

/** As drivers see it: what the bank is asked for is sent. */
export function wentBackOf(row: WentBackRow | null): WentBack | null {
  if (row === null) return null;
  return {
    amount: kopecks(row.amount),
    returns: row.returns.map(({ amount, status, asked, ended, reason }) => ({
      amount: kopecks(amount),
      state: status === 'success' ? 'done' : status === 'failure' ? 'refused' : 'sent',
      asked_at: new Date(asked).toISOString(),
      ended_at: ended === null ? null : new Date(ended).toISOString(),
      reason,
    })),
  };
}
