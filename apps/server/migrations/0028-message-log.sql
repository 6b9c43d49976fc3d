-- What goes over the sockets of charge points for seven days, and connections that were refused or replaced.

-- A row is a page of one device's messages: a line for each call with its answer. Pages cost a fraction of a row for each
-- message when thousands of readings arrive in a second, and a page stays below the size at which PostgreSQL compresses it.
create table message_pages (
  id bigint generated always as identity (cache 100),
  charge_point_id bigint not null,
  -- When the first and the last call of the page began.
  began_at timestamptz not null,
  ended_at timestamptz not null,
  lines text not null
) partition by range (ended_at);
create table message_pages_default partition of message_pages default;
create index message_pages_charge_point on message_pages (charge_point_id, ended_at desc);

-- The partition of one day, when it does not exist yet. Rows of that day that waited in the default partition move in.
create function ensure_message_day(of_day date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  child text := 'message_pages_' || to_char(of_day, '"y"YYYY"m"MM"d"DD');
  lower_bound timestamptz := of_day::timestamp at time zone 'UTC';
  upper_bound timestamptz := (of_day + 1)::timestamp at time zone 'UTC';
begin
  if to_regclass('public.' || quote_ident(child)) is not null then return false; end if;
  lock table public.message_pages_default in access exclusive mode;
  execute format('create table public.%I (like public.message_pages including defaults including constraints)', child);
  execute format('with moved as (delete from public.message_pages_default where ended_at >= $1 and ended_at < $2 returning *)
    insert into public.%I select * from moved', child) using lower_bound, upper_bound;
  execute format('alter table public.message_pages attach partition public.%I for values from (%L) to (%L)',
    child, lower_bound, upper_bound);
  return true;
end $$;

-- From yesterday to seven days ahead, so that a week without the nightly job still has partitions.
create function ensure_message_days() returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made integer := 0;
  wanted date;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
  for wanted in select d::date from generate_series((clock_timestamp() at time zone 'UTC')::date - 1,
    (clock_timestamp() at time zone 'UTC')::date + 7, interval '1 day') as d
  loop
    if ensure_message_day(wanted) then made := made + 1; end if;
  end loop;
  return made;
end $$;

-- Drops the oldest day that is past its retention. The clock is the database's. Null when there was none, and then rows of
-- the default partition that are past their retention are gone too.
create function drop_expired_message_day() returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  expired text;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
  select c.relname::text into expired
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.message_pages'::regclass and c.relname ~ '_y\d{4}m\d{2}d\d{2}$'
    and (to_date(right(c.relname, 10), 'YYYY"m"MM"d"DD') + 1)::timestamp at time zone 'UTC'
      <= clock_timestamp() - interval '7 days'
  order by c.relname limit 1;
  if expired is null then
    delete from public.message_pages_default where ended_at < clock_timestamp() - interval '7 days';
    return null;
  end if;
  execute format('drop table public.%I', expired);
  return expired;
end $$;

revoke all on function ensure_message_day(date), ensure_message_days(), drop_expired_message_day() from public;
select ensure_message_days();

-- Connections that were refused or replaced: one line for each matter, counted. The identity is what the device presented,
-- so it need not be one of ours.
create table refused_connections (
  id bigint generated always as identity primary key,
  identity text not null,
  reason text not null check (reason in ('unknown_identity', 'wrong_password', 'no_subprotocol', 'replaced')),
  -- Empty where it says nothing: a connection that a newer one replaced.
  address text not null,
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (identity, reason, address)
);
create index refused_connections_last on refused_connections (last_at desc);
