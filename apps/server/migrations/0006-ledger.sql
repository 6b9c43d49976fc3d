-- The ledger: accounts, transfers between them, and the wallets through which users see their money.

-- Accounts below 100 are the network's own and keep no running balance: every settlement touches revenue, and one row that
-- all of them update would be the speed limit of the whole network. Their balance is the sum of their entries.
create table accounts (
  id bigint generated always as identity (start with 100) primary key,
  kind text not null check (kind in ('clearing', 'revenue', 'promotions', 'staff', 'losses', 'fees', 'wallet', 'reserve', 'refund')),
  balance bigint,
  -- A reserve holds one operation's deposit, a refund account what is on its way back to a card.
  operation_id bigint unique,
  payment_id bigint unique,
  -- Where what is left of a reserve or of a refused refund goes back to; null: to revenue.
  wallet_id bigint,
  constraint accounts_kept_balance check ((id >= 100) = (balance is not null)),
  constraint wallet_not_below_zero check (kind <> 'wallet' or balance >= 0),
  constraint account_not_below_zero check (kind = 'wallet' or balance >= 0)
);
insert into accounts (id, kind) overriding system value values
  (1, 'clearing'), (2, 'revenue'), (3, 'promotions'), (4, 'staff'), (5, 'losses'), (6, 'fees');

-- One row names both ends, so an unbalanced transfer cannot even be written down.
-- No foreign key to accounts: each settlement would lock the revenue row for its check. post_transfers() looks instead.
create table transfers (
  id bigint generated always as identity primary key,
  -- What happened in the business, once: whatever is repeated under the same key is already done.
  -- Compared byte by byte, so that all of one operation's or payment's are found by the beginning of their keys.
  key text collate "C" not null unique,
  kind text not null check (kind in ('operation_payment', 'operation_return', 'earned', 'gift', 'deposit', 'admin', 'promo',
    'reversal', 'capture', 'refund', 'refunded', 'refund_refused', 'lost', 'chargeback', 'fee', 'correction', 'party_return')),
  from_account bigint not null check (from_account >= 100 or from_account between 1 and 6),
  to_account bigint not null check (to_account >= 100 or to_account between 1 and 6),
  amount bigint not null check (amount > 0),
  operation_id bigint,
  payment_id bigint,
  sender_id bigint,
  recipient_id bigint,
  staff_id bigint,
  promo_id bigint,
  reverses_id bigint,
  created_at timestamptz not null,
  check (from_account <> to_account)
);
-- A wallet's history, newest first. Ends that are reserves, refunds or the network's own are never read by pages, and a
-- settlement need not pay for them.
create index transfers_out on transfers (from_account, id desc)
  where from_account >= 100 and kind not in ('earned', 'operation_return', 'refunded', 'refund_refused');
create index transfers_in on transfers (to_account, id desc)
  where to_account >= 100 and kind not in ('operation_payment', 'refund');
create index transfers_payment on transfers (payment_id) where payment_id is not null;
-- The daily limit of gifts sums a user's gifts of a day.
create index transfers_gifts on transfers (sender_id, created_at) where kind = 'gift';

create trigger transfers_are_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();

-- Every user owns one wallet for life and uses one: their own, or a shared one of somebody else's.
create table wallets (
  id bigint primary key references accounts (id),
  -- Deferred, because a user and their wallet are born in one statement.
  owner_id bigint not null unique references users (id) deferrable initially deferred,
  is_shared boolean not null default false
);

-- The default only says that nobody has to give it: the trigger below always does.
alter table users add column wallet_id bigint not null default 0;

-- The functions run with the owner's rights: the product's role may read the ledger but write it only through them.

create function open_wallet(owner bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  opened bigint;
begin
  insert into accounts (kind, balance) values ('wallet', 0) returning id into opened;
  insert into wallets (id, owner_id) values (opened, owner);
  return opened;
end $$;

create function give_wallet() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.wallet_id := open_wallet(new.id);
  return new;
end $$;

update users set wallet_id = open_wallet(id);
-- The deferred checks of the line above must be over before the table may be altered again.
set constraints all immediate;
alter table users add foreign key (wallet_id) references wallets (id);
create index users_wallet on users (wallet_id);
create trigger users_have_wallets before insert on users for each row execute function give_wallet();

-- A guest who never charged is forgotten with the wallet that never held anything.
create function discard_user(gone bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  purse bigint;
begin
  select id into purse from wallets where owner_id = gone;
  if exists (select 1 from transfers where from_account = purse and from_account >= 100
        and kind not in ('earned', 'operation_return', 'refunded', 'refund_refused'))
      or exists (select 1 from transfers where to_account = purse and to_account >= 100
        and kind not in ('operation_payment', 'refund')) then
    raise exception 'wallet % has a history and stays', purse using errcode = 'integrity_constraint_violation';
  end if;
  set constraints wallets_owner_id_fkey deferred;
  delete from users where id = gone;
  delete from wallets where id = purse;
  delete from accounts where id = purse;
end $$;

create function open_account(its_kind text, its_operation bigint, its_payment bigint, its_wallet bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  opened bigint;
begin
  if its_kind not in ('reserve', 'refund') then
    raise exception 'accounts of kind % are not opened one by one', its_kind;
  end if;
  insert into accounts (kind, balance, operation_id, payment_id, wallet_id)
    values (its_kind, 0, its_operation, its_payment, its_wallet)
    on conflict do nothing returning id into opened;
  if opened is null then
    select id into opened from accounts where operation_id = its_operation or payment_id = its_payment;
  end if;
  return opened;
end $$;

-- The only way money moves. Takes a list, applies each transfer once and keeps the balances. Gives the ids of the transfers
-- in the order of the list, null for those that had been made before.
-- `ends` are the accounts with a balance that the list names, in the order of their ids: everybody changes, and so locks,
-- accounts in that order, and two who want the same ones queue up instead of facing each other.
create function post_transfers(given jsonb, ends bigint[]) returns bigint[]
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes bigint[] := array_fill(0::bigint, array[cardinality(ends)]);
  ids bigint[] := '{}';
  t jsonb;
  made bigint;
  place int;
begin
  for i in 0 .. jsonb_array_length(given) - 1 loop
    t := given -> i;
    insert into transfers (key, kind, from_account, to_account, amount, operation_id, payment_id, sender_id, recipient_id,
        staff_id, promo_id, reverses_id, created_at)
      values (t ->> 'key', t ->> 'kind', (t ->> 'from')::bigint, (t ->> 'to')::bigint, (t ->> 'amount')::bigint,
        (t ->> 'operation')::bigint, (t ->> 'payment')::bigint, (t ->> 'sender')::bigint, (t ->> 'recipient')::bigint,
        (t ->> 'staff')::bigint, (t ->> 'promo')::bigint, (t ->> 'reverses')::bigint, (t ->> 'at')::timestamptz)
      on conflict (key) do nothing
      returning id into made;
    ids := ids || made;
    if made is null then
      perform check_repeated(t);
      continue;
    end if;
    if (t ->> 'from')::bigint >= 100 then
      place := array_position(ends, (t ->> 'from')::bigint);
      changes[place] := changes[place] - (t ->> 'amount')::bigint;
    end if;
    if (t ->> 'to')::bigint >= 100 then
      place := array_position(ends, (t ->> 'to')::bigint);
      changes[place] := changes[place] + (t ->> 'amount')::bigint;
    end if;
  end loop;

  for i in 1 .. cardinality(ends) loop
    if ends[i] <= ends[i - 1] then
      raise exception 'accounts are to be named in the order of their ids, once each';
    end if;
    if changes[i] <> 0 then
      update accounts set balance = balance + changes[i] where id = ends[i];
      if not found then
        raise exception 'a transfer names account %, which does not exist', ends[i] using errcode = 'foreign_key_violation';
      end if;
    end if;
  end loop;
  return ids;
end $$;

-- What was there before must be the same transfer: one key for two meanings is a bug to be heard.
create function check_repeated(t jsonb) returns void language plpgsql as $$
begin
  perform 1 from transfers where key = t ->> 'key' and kind = t ->> 'kind' and from_account = (t ->> 'from')::bigint
    and to_account = (t ->> 'to')::bigint and amount = (t ->> 'amount')::bigint;
  if not found then
    raise exception 'transfer % was made before and looked different', t ->> 'key'
      using errcode = 'integrity_constraint_violation';
  end if;
end $$;

-- What the nightly check found last, for staff and for the figures.
create table ledger_checks (
  id bigint generated always as identity primary key,
  checked_at timestamptz not null,
  faults jsonb not null
);

-- Holds accounts still while a step decides how much to move, in the same order as everybody.
create function lock_accounts(wanted bigint[]) returns table (id bigint, balance bigint)
  language sql security definer set search_path = public, pg_temp as $$
  select a.id, a.balance from accounts a where a.id = any (wanted) and a.balance is not null
  order by a.id for no key update
$$;
