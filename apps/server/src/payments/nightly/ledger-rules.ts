import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import type { LedgerFault, Rule } from '../../wallet/check.ts';
import { network } from '../../wallet/transfer.ts';
import { operationRules, rewards } from './operation-check.ts';

interface Differing {
  id: number;
  status: string;
  expected: number;
  booked: number;
}

const mostFaults = 1_000;

function faultsOf(rule: string, rows: Differing[]): LedgerFault[] {
  return rows.map(({ id, status, expected, booked }) => ({
    rule,
    subject: `payment ${id}`,
    details: { status, expected, booked },
  }));
}

/** The captured and returned sums of a card payment equal its transfers through clearing. */
const cardMoneyAgrees: Rule = async (db) => {
  const { rows } = await sql<Differing>`
    select p.id, p.status, p.captured - p.refunded as expected, coalesce(t.net, 0)::bigint as booked
    from payments p left join (
      select payment_id, sum(case when from_account = 1 then amount else -amount end) as net
      from transfers where (from_account = 1 or to_account = 1) and kind <> 'fee' and payment_id is not null
      group by payment_id) t on t.payment_id = p.id
    where p.method = 'bank' and not p.is_overridden and p.captured - p.refunded <> coalesce(t.net, 0)
    limit ${mostFaults}`.execute(db);
  return faultsOf('a card payment agrees with clearing', rows);
};

/** A deposit from the balance is completely in its reserve, or completely earned and returned. */
const balanceMoneyAgrees: Rule = async (db) => {
  const { rows } = await sql<Differing>`
    select p.id, p.status, case when p.status = 'hold' then p.amount else 0 end as expected,
      coalesce(a.balance, -1)::bigint as booked
    from payments p left join accounts a on a.operation_id = p.operation_id and a.kind = 'reserve'
    where p.method = 'bonuses' and not p.is_overridden
      and coalesce(a.balance, -1) <> case when p.status = 'hold' then p.amount else 0 end
    limit ${mostFaults}`.execute(db);
  return faultsOf('a deposit from the balance agrees with its reserve', rows);
};

/**
 * What an operation has left of its earnings is what its payment captured and has not returned, less its rewards. While a refund
 * is under way the bank may have returned the same money by itself; then nothing is left.
 */
const earningsAgree: Rule = async (db) => {
  const { rows } = await sql<Differing>`
    select * from (
      select p.id, p.status, coalesce(e.balance, 0) as booked,
        greatest(0, p.captured - p.refunded - coalesce(r.amount, 0) - coalesce(t.rewards, 0))::bigint as expected
      from payments p left join accounts e on e.operation_id = p.operation_id and e.kind = 'earned'
      left join (
        select payment_id, sum(amount) as amount from refunds where status in ('asked', 'processing') group by payment_id) r
        on r.payment_id = p.id
      left join (${rewards}) t on t.operation_id = p.operation_id
      where p.purpose = 'operation' and not p.is_overridden) m
    where booked <> expected
    limit ${mostFaults}`.execute(db);
  return faultsOf('an operation has left what its payment kept', rows);
};

/**
 * However often and in whatever order money went back for an operation, it is not more than the bank and the wallets have paid
 * for it. What losses paid for a chargeback came from the network, and so did rewards before operations paid for their own.
 */
const nothingBackTwice: Rule = async (db) => {
  const { rows } = await sql<{ id: number; took: number; gave: number }>`
    select * from (
      select t.operation_id as id,
        coalesce(sum(t.amount) filter (where t.from_account = ${network.clearing} or payer.id is not null), 0)::bigint as took,
        coalesce(sum(t.amount) filter (where t.to_account = ${network.clearing} or paid.id is not null), 0)::bigint as gave
      from transfers t left join wallets payer on payer.id = t.from_account left join wallets paid on paid.id = t.to_account
      where t.operation_id is not null and ${network.promotions} not in (t.from_account, t.to_account)
        and not (t.kind = 'chargeback' and t.from_account = ${network.losses})
      group by t.operation_id) m
    where gave > took
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id, ...details }) => ({
    rule: 'an operation gave back no more than it took',
    subject: `operation ${id}`,
    details,
  }));
};

/** Losses are booked exactly: a loss may be booked in several transfers, and in either direction. */
const lossesAgree: Rule = async (db) => {
  const { rows } = await sql<Differing>`
    select p.id, p.status, p.lost as expected, coalesce(t.net, 0)::bigint as booked
    from payments p left join (
      select payment_id, sum(case when from_account = 5 then amount else -amount end) as net
      from transfers where kind = 'lost' and payment_id is not null
      group by payment_id) t on t.payment_id = p.id
    where not p.is_overridden and p.lost <> coalesce(t.net, 0)
    limit ${mostFaults}`.execute(db);
  return faultsOf('a loss is booked as the payment says', rows);
};

/** Refunds in progress equal the balances of refund accounts. */
const refundsAgree: Rule = async (db) => {
  const { rows } = await sql<Differing>`
    select p.id, p.status, coalesce(r.amount, 0)::bigint as expected, a.balance as booked
    from accounts a join payments p on p.id = a.payment_id left join (
      select payment_id, sum(amount) as amount from refunds where status in ('asked', 'processing') group by payment_id) r
      on r.payment_id = p.id
    where not p.is_overridden and a.balance <> coalesce(r.amount, 0)
    limit ${mostFaults}`.execute(db);
  return faultsOf('refunds under way agree with their account', rows);
};

export const paymentRules: readonly Rule[] = [
  cardMoneyAgrees,
  balanceMoneyAgrees,
  earningsAgree,
  nothingBackTwice,
  lossesAgree,
  refundsAgree,
  ...operationRules,
];

/** States forced by staff are listed, not judged. */
export function overriddenPayments(db: Database) {
  return db
    .selectFrom('payments')
    .select(['id', 'status', 'amount'])
    .where('is_overridden', '=', true)
    .orderBy('id')
    .execute();
}
