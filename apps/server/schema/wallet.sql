-- The ledger: wallets, accounts, and the only way in which money moves.

create or replace function open_wallet(owner bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  opened bigint;
begin
  insert into accounts (kind, balance) values ('wallet', 0) returning id into opened;
  insert into wallets (id, owner_id) values (opened, owner);
  return opened;
end $$;

create or replace function give_wallet() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.wallet_id := open_wallet(new.id);
  return new;
end $$;

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

-- A transfer whose key exists must be the same transfer, because one key with two meanings is a bug.
create or replace function check_repeated(t jsonb) returns void language plpgsql as $$
begin
  perform 1 from transfers where key = t ->> 'key' and kind = t ->> 'kind' and from_account = (t ->> 'from')::bigint
    and to_account = (t ->> 'to')::bigint and amount = (t ->> 'amount')::bigint;
  if not found then
    raise exception 'transfer % was made before and looked different', t ->> 'key'
      using errcode = 'integrity_constraint_violation';
  end if;
end $$;

-- Holds accounts still while a step decides how much to move, in the order that all steps use.
create or replace function lock_accounts(wanted bigint[]) returns table (id bigint, balance bigint)
  language sql security definer set search_path = public, pg_temp as $$
  select a.id, a.balance from accounts a where a.id = any (wanted) and a.balance is not null
  order by a.id for no key update
$$;

-- The only way money moves. Takes a list, applies each transfer once and keeps the balances. Gives the ids of the transfers
-- in the order of the list, null for those that had been made before.
-- `ends` are the accounts with a balance that the list names, in the order of their ids. All steps change, and so lock,
-- accounts in that order, so two that need the same accounts wait one after the other and do not deadlock.
create or replace function post_transfers(given jsonb, ends bigint[]) returns bigint[]
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

-- What a transfer takes of the party's part: `own` money first (the default), the `party`'s first, or one of them only.
create or replace function party_money_taken(takes text, amount bigint, balance bigint, party bigint) returns bigint
  language sql immutable set search_path = public, pg_temp as $$
  select case coalesce(takes, 'own')
    when 'party' then least(amount, party)
    when 'party_only' then amount
    when 'own_only' then 0
    else greatest(0, least(party, amount - (balance - party))) end
$$;

-- Posts transfers and moves the parts with them. A transfer may say `takes`, and with `arriving` and `party` how much of it
-- arrives as the money of which party; otherwise money keeps its colour. Accounts are locked in the common order before any
-- part is computed. Gives the ids as post_transfers() does, and the parts that arrived as party money.
create or replace function post_coloured_transfers(given jsonb, ends bigint[]) returns jsonb
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  balances bigint[];
  parts bigint[];
  parties bigint[];
  before bigint[];
  found_parts jsonb := '[]';
  ids bigint[];
  t jsonb;
  part jsonb;
  amount bigint;
  source int;
  target int;
  taken bigint;
  arrived bigint;
  whose bigint;
begin
  select array_agg(balance), array_agg(party_balance), array_agg(party_id) into balances, parts, parties
  from (select balance, party_balance, party_id from accounts where id = any (ends) order by id for no key update) locked;
  if coalesce(cardinality(balances), 0) < cardinality(ends)
    or (coalesce((select max(p) from unnest(parts) p), 0) = 0
      and not given @? '$[*] ? (exists (@.arriving) || @.takes == "party_only")')
  then
    return jsonb_build_object('ids', to_jsonb(post_transfers(given, ends)), 'parts', '[]'::jsonb);
  end if;

  before := parts;
  for i in 0 .. jsonb_array_length(given) - 1 loop
    t := given -> i;
    continue when exists (select 1 from transfers where key = t ->> 'key');
    amount := (t ->> 'amount')::bigint;
    source := array_position(ends, (t ->> 'from')::bigint);
    target := array_position(ends, (t ->> 'to')::bigint);
    taken := 0;
    whose := (t ->> 'party')::bigint;
    if source is not null then
      taken := party_money_taken(t ->> 'takes', amount, balances[source], parts[source]);
      whose := coalesce(whose, parties[source]);
      balances[source] := balances[source] - amount;
      parts[source] := parts[source] - taken;
    end if;
    arrived := 0;
    if target is not null then
      arrived := coalesce((t ->> 'arriving')::bigint, taken);
      balances[target] := balances[target] + amount;
      -- A wallet that holds the money of another party keeps that name: what arrived goes on to its own party in this step.
      if arrived > 0 and parts[target] = 0 then
        parties[target] := whose;
      end if;
      parts[target] := parts[target] + arrived;
    end if;
    if taken + arrived > 0 then
      found_parts := found_parts || jsonb_build_object('index', i, 'party', whose, 'taken', taken, 'arrived', arrived);
    end if;
  end loop;

  -- A part that falls does so before its balance, and one that rises after it, so that a part never exceeds its balance.
  for i in 1 .. cardinality(ends) loop
    if parts[i] < before[i] then
      update accounts set party_balance = parts[i] where id = ends[i];
    end if;
  end loop;
  ids := post_transfers(given, ends);
  for i in 1 .. cardinality(ends) loop
    if parts[i] > before[i] then
      update accounts set party_balance = parts[i], party_id = parties[i] where id = ends[i];
    end if;
  end loop;
  for part in select * from jsonb_array_elements(found_parts) loop
    insert into party_parts (transfer_id, party_id, taken, arrived)
      values (ids[(part ->> 'index')::int + 1], (part ->> 'party')::bigint, (part ->> 'taken')::bigint,
        (part ->> 'arrived')::bigint);
  end loop;
  return jsonb_build_object('ids', to_jsonb(ids), 'parts', found_parts);
end $$;

-- Divides the balances of the present members of closed parties, by their transfers in the order in which they were made:
-- what the owner gave since the joining is the party's, and charges took it first. What an operation earned from a member stands
-- under its negative id, so that a later return of it goes back to the part that paid.
create or replace function colour_party_history() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  t record;
  source record;
  target record;
  taken bigint;
  arrived bigint;
  whose bigint;
  is_partys boolean;
begin
  if exists (select 1 from party_parts) then
    raise exception 'the history of party money is known already';
  end if;
  -- The wallets of members, and what their charges hold. Owners have no party money, because what reaches them is theirs.
  create temporary table tracked on commit drop as
    select w.id as account, true as is_wallet, p.owner_id, m.party_id, m.joined_at, 0::bigint as balance, 0::bigint as part
    from parties p join party_members m on m.party_id = p.id join wallets w on w.owner_id = m.user_id
    where p.is_closed and m.user_id <> p.owner_id;
  insert into tracked
    select held.account, false, k.owner_id, k.party_id, k.joined_at, 0, 0
    from tracked k join accounts a on a.wallet_id = k.account and a.kind = 'reserve'
      cross join lateral (select a.id as account union select -a.operation_id
        union select e.id from accounts e where e.operation_id = a.operation_id and e.kind = 'earned') held;
  create unique index on tracked (account);
  for t in
    select r.id, r.kind, r.amount, r.created_at, r.sender_id, r.operation_id,
      case when r.from_account < 100 and r.kind in ('correction', 'reversal', 'opening') then -r.operation_id else r.from_account end as source,
      case when r.to_account < 100 and r.kind in ('earned', 'correction') then -r.operation_id else r.to_account end as target
    from transfers r
    where r.from_account in (select account from tracked) or r.to_account in (select account from tracked)
    order by r.id
  loop
    taken := 0;
    arrived := 0;
    whose := null;
    -- A reward goes to the money that paid the larger part of the charge.
    is_partys := t.kind = 'promo' and coalesce((select sum(k.part) * 2 > sum(k.balance) from tracked k
      where k.account = -t.operation_id or k.account in (
        select e.id from accounts e where e.operation_id = t.operation_id and e.kind = 'earned')), false);
    select * into source from tracked where account = t.source;
    if found then
      whose := source.party_id;
      -- A correction that takes more is a charge; one that gives back is a return.
      taken := party_money_taken(case when t.kind in ('operation_payment', 'earned', 'party_return')
        or (t.kind = 'correction' and source.is_wallet) or is_partys then 'party' end, t.amount, source.balance, source.part);
      update tracked set balance = balance - t.amount, part = part - taken where account = t.source;
    end if;
    select * into target from tracked where account = t.target;
    if found then
      whose := coalesce(whose, target.party_id);
      arrived := case
        when t.kind in ('gift', 'allowance') and t.sender_id = target.owner_id and t.created_at >= target.joined_at
          then t.amount
        when is_partys then t.amount
        else taken end;
      update tracked set balance = balance + t.amount, part = part + arrived where account = t.target;
    end if;
    if taken + arrived > 0 then
      insert into party_parts (transfer_id, party_id, taken, arrived) values (t.id, whose, taken, arrived);
    end if;
  end loop;
  update accounts a set party_balance = k.part, party_id = k.party_id from tracked k where k.account = a.id and k.part > 0;
  drop table tracked;
end $$;
revoke all on function colour_party_history() from public;
