-- The colour of money: what of an account came from a closed party. The rest of it is the users' own money.

-- `balance` stays the whole account, so every page reads one total. `party_id` names the party that the part belongs to; it
-- has no foreign key, because every charge of a member would lock the row of the party for its check.
alter table accounts
  add column party_balance bigint not null default 0,
  add column party_id bigint,
  add constraint party_money_not_below_zero check (party_balance >= 0),
  add constraint party_money_has_a_party check (party_balance = 0 or party_id is not null),
  add constraint wallet_own_money_not_below_zero
    check (kind <> 'wallet' or party_balance <= greatest(balance, 0)),
  add constraint account_own_money_not_below_zero
    check (kind = 'wallet' or party_balance <= greatest(coalesce(balance, 0), 0));
create index accounts_party_money on accounts (party_id) where party_balance > 0;

-- Of the transfers that moved party money: how much of the amount left as the party's, and how much arrived as the party's.
create table party_parts (
  -- No foreign key, so that transfers refuse to be truncated with their own words.
  transfer_id bigint primary key,
  party_id bigint not null,
  taken bigint not null check (taken >= 0),
  arrived bigint not null check (arrived >= 0),
  check (taken + arrived > 0)
);
create trigger party_parts_are_append_only before update or delete or truncate on party_parts
  for each statement execute function refuse_change();

-- What a transfer takes of the party's part: `own` money first (the default), the `party`'s first, or one of them only.
create function party_money_taken(takes text, amount bigint, balance bigint, party bigint) returns bigint
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
create function post_coloured_transfers(given jsonb, ends bigint[]) returns jsonb
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

-- Tells the balances of the present members of closed parties apart, by their transfers in the order in which they were made:
-- what the owner gave since the joining is the party's, and charges took it first. What an operation earned from a member stands
-- under its negative id, so that a later return of it goes back to the part that paid.
create function colour_party_history() returns void
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
revoke execute on function colour_party_history() from public;
select colour_party_history();
