-- What an operation has earned is an account: refunds, reversals, corrections and rewards take from it, and it never falls below zero.

-- Nothing is booked until the opening balances are there. A step of a running node waits, or is repeated after a deadlock.
lock table transfers, accounts in access exclusive mode;

-- An operation has one account of each kind.
alter table accounts drop constraint accounts_operation_id_key;
create unique index accounts_operation on accounts (operation_id, kind) where operation_id is not null;
alter table accounts drop constraint accounts_kind_check;
alter table accounts add constraint accounts_kind_check check (kind in ('clearing', 'revenue', 'promotions', 'staff', 'losses', 'fees',
  'wallet', 'reserve', 'refund', 'earned'));

alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check check (kind in ('operation_payment', 'operation_return', 'earned',
  'gift', 'deposit', 'admin', 'promo', 'reversal', 'capture', 'refund', 'refunded', 'refund_refused', 'lost', 'chargeback', 'fee',
  'correction', 'party_return', 'allowance', 'opening', 'reward_cost')) not valid;
-- Revenue exchanges only with losses, promotions and the accounts of operations, so money that a driver or the bank gets back
-- for an operation cannot come from it. Rows before this migration are as they are.
alter table transfers add constraint revenue_returns_nothing check (
  (from_account <> 2 or kind in ('lost', 'chargeback') and to_account = 5 or kind = 'reward_cost' and to_account = 3
    or kind = 'opening' and to_account >= 100)
  and (to_account <> 2 or kind in ('lost', 'chargeback') and from_account = 5 or kind = 'reward_cost' and from_account = 3
    or kind = 'chargeback' and from_account >= 100)) not valid;

create or replace function open_account(its_kind text, its_operation bigint, its_payment bigint, its_wallet bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  opened bigint;
begin
  if its_kind not in ('reserve', 'refund', 'earned') then
    raise exception 'accounts of kind % are not opened one by one', its_kind;
  end if;
  insert into accounts (kind, balance, operation_id, payment_id, wallet_id)
    values (its_kind, 0, its_operation, its_payment, its_wallet)
    on conflict do nothing returning id into opened;
  if opened is null then
    select id into opened from accounts
      where kind = its_kind and (operation_id = its_operation or payment_id = its_payment);
  end if;
  return opened;
end $$;

-- Operations before this one: what the bank and the wallets have paid for them, less what went back. Losses are no money that
-- came in, and rewards were paid by the network. One pass over the ledger.
create temporary table earned_before on commit drop as
  select operation_id, sum(case
    when to_account = 2 and kind in ('capture', 'earned', 'correction', 'refund_refused') then amount
    when from_account = 2 and kind in ('refund', 'reversal', 'correction') then -amount
    when to_account = 1 and kind = 'chargeback' then -amount
    else 0 end)::bigint as amount
  from transfers
  where operation_id is not null
    and kind in ('capture', 'earned', 'correction', 'refund', 'refund_refused', 'reversal', 'chargeback')
  group by operation_id;

-- Below zero, more went back than came in; that money is gone, and the ledger check names such operations.
with opened as (
  insert into accounts (kind, balance, operation_id)
    select 'earned', amount, operation_id from earned_before where amount > 0 order by operation_id
  returning id, operation_id, balance
)
insert into transfers (key, kind, from_account, to_account, amount, operation_id, created_at)
  select 'operation:' || operation_id || ':opening', 'opening', 2, id, balance, operation_id, now() from opened;

-- A reversal is a return of the payment that it belongs to, as a refund is for a card. Partners were never told of those, and
-- are not told now.
alter table payments disable trigger payments_refunded_webhooks;
update payments p set refunded = least(p.captured, r.amount)
from (
  select operation_id, sum(amount)::bigint as amount from transfers
  where kind = 'reversal' and from_account = 2 and operation_id is not null group by operation_id) r
where p.operation_id = r.operation_id and p.method = 'bonuses' and p.captured > 0;
alter table payments enable trigger payments_refunded_webhooks;

analyze accounts;
