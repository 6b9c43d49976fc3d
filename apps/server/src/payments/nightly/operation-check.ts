import { billedStatuses, finalStatuses, unbilledStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { literals } from '../../platform/database.ts';
import type { LedgerFault, Rule } from '../../wallet/check.ts';

interface Ended {
  id: number;
  status: string;
  total: number;
  kept: number;
  lost: number;
}

const mostFaults = 1_000;

const faultsOf = (rule: string, rows: Ended[]): LedgerFault[] =>
  rows.map(({ id, ...details }) => ({ rule, subject: `operation ${id}`, details }));

/** What promotions have paid out of the earnings of each operation, less what staff took back. */
export const rewards = sql`
  select a.operation_id, sum(t.amount) as rewards from (
    select from_account as account, amount from transfers where kind = 'promo' and from_account >= 100
    union all select to_account, -amount from transfers where kind = 'reversal' and to_account >= 100) t
  join accounts a on a.id = t.account and a.kind = 'earned' group by a.operation_id`;

/**
 * Every operation with its payment and what it has left of its earnings. A refund in progress counts as returned.
 * What staff or a promotion returned, or the bank charged back, may be missing from the total without being lost.
 */
const operationsWithMoney = sql`
  select o.id, o.status, o.total, o.lost, p.lost as payment_lost, p.status as payment_status,
    coalesce(e.balance, 0) as kept,
    p.wanted = 'release' and p.next_action_at is not null as is_being_released,
    p.status = 'hold' and p.wanted = 'capture' and p.next_action_at is not null as is_being_captured,
    coalesce(r.under_way, 0) as under_way, coalesce(r.by_staff, 0)
      + case p.method when 'bonuses' then p.refunded else 0 end + coalesce(w.rewards, 0) as given,
    coalesce(c.amount, 0) as charged_back
  from operations o join payments p on p.operation_id = o.id
  left join accounts e on e.operation_id = o.id and e.kind = 'earned'
  left join (${rewards}) w on w.operation_id = o.id
  left join (
    select payment_id, sum(amount) filter (where status in ('asked', 'processing')) as under_way,
      sum(amount) filter (where staff_id is not null and status <> 'failure') as by_staff
    from refunds group by payment_id) r on r.payment_id = p.id
  left join (
    select payment_id, sum(case when from_account = 5 then amount else -amount end) as amount
    from transfers where kind = 'chargeback' and 5 in (from_account, to_account)
    group by payment_id) c on c.payment_id = p.id
  where not p.is_overridden`;

/**
 * A finished operation has its total, or has lost what is missing; one that did not happen has kept nothing. Staff can force an end
 * before the bank has done its part, so money that is still being captured or released is no fault.
 */
const moneyFits: Rule = async (db) => {
  const { rows } = await sql<Ended>`
    select id, status, total, kept::bigint as kept, lost from (${operationsWithMoney}) m
    where (status = 'finished' and total - kept - lost not between 0 and given + charged_back and is_being_captured is not true)
      or (status in (${literals(unbilledStatuses)}) and kept > 0 and is_being_released is not true)
    limit ${mostFaults}`.execute(db);
  return faultsOf('what an ended operation kept fits its total and its loss', rows);
};

/**
 * A chargeback is a loss as far as it took what was owed for the charge. While a refund is under way the bank may have
 * returned the same money by itself; how much of it is a loss is known when the refund has ended.
 */
const chargebackFits: Rule = async (db) => {
  const { rows } = await sql<Ended>`
    select id, status, total, kept::bigint as kept, lost from (${operationsWithMoney}) m
    where status = 'finished' and under_way = 0 and given = 0 and charged_back > greatest(0, total - kept - lost)
      and is_being_captured is not true
    limit ${mostFaults}`.execute(db);
  return faultsOf('the loss by a chargeback is what is missing from the total', rows);
};

const paidMeansFinished: Rule = async (db) => {
  const { rows } = await sql<Ended>`
    select id, status, total, kept::bigint as kept, lost from (${operationsWithMoney}) m
    where status = 'pending_final_payment' and payment_status in ('success', 'reversed', 'failure', 'expired')
    limit ${mostFaults}`.execute(db);
  return faultsOf('an operation whose payment is final waits for it no longer', rows);
};

const operationLossesAgree: Rule = async (db) => {
  const { rows } = await sql<Ended>`
    select id, status, total, kept::bigint as kept, lost from (${operationsWithMoney}) m
    where status in (${literals(finalStatuses)}) and lost <> payment_lost
    limit ${mostFaults}`.execute(db);
  return faultsOf('an operation lost what its payment says', rows);
};

/** Idle time is paid by its tariff, within the total, and only where energy was paid too. */
const idleFeesFit: Rule = async (db) => {
  const { rows } = await sql<{ id: number; status: string; total: number; idle_total: number; idle_fee: number }>`
    select id, status, total, idle_total, idle_fee from operations
    where idle_total > 0 and status in (${literals(billedStatuses)}) and (idle_total >= total or idle_fee = 0
      or idle_total > idle_fee::bigint * greatest(0, idle_seconds / 60 - idle_grace_minutes))
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id, ...details }) => ({
    rule: 'an idle fee fits its minutes and its total',
    subject: `operation ${id}`,
    details,
  }));
};

/** Energy that is in no bill is a loss to the kopeck, in the direction that its row says. */
const unbilledEnergyAgrees: Rule = async (db) => {
  const { rows } = await sql<{ id: number; amount: number; booked: number }>`
    select u.id, u.amount, coalesce(case when t.from_account = 5 then t.amount else -t.amount end, 0)::bigint as booked
    from unbilled_energy u left join transfers t on t.key = u.transfer_key and t.kind = 'lost' and t.payment_id is null
    where u.amount <> coalesce(case when t.from_account = 5 then t.amount else -t.amount end, 0)
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id, ...details }) => ({
    rule: 'unbilled energy is booked as its row says',
    subject: `unbilled energy ${id}`,
    details,
  }));
};

/** Rules about operations and their money together. */
export const operationRules: readonly Rule[] = [
  moneyFits,
  chargebackFits,
  paidMeansFinished,
  operationLossesAgree,
  idleFeesFit,
  unbilledEnergyAgrees,
];
