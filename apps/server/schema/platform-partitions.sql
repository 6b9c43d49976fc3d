-- Functions of the tables that have a partition for each month or day.

-- Tables with a partition for each month: by which column, by which column a row of the default partition expires, and
-- the least period. The product asks for its setting, and nothing younger than the least period is ever dropped.
create or replace function partitioned_tables()
  returns table (name text, by_column text, kept_by text, least_kept interval, is_append_only boolean)
  language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  values ('meter_samples', 'sampled_at', 'received_at', interval '2 months', false),
         ('charge_point_notices', 'received_at', 'received_at', interval '30 days', false),
         ('bank_exchanges', 'created_at', 'created_at', interval '18 months', true)
$$;
revoke all on function partitioned_tables() from public;

-- The partition of one month, when it does not exist yet. Rows of that month that waited in the default partition move in.
create or replace function ensure_partition(of_table text, of_month date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  child text := format('%s_y%sm%s', of_table, to_char(of_month, 'YYYY'), to_char(of_month, 'MM'));
  known record;
  lower_bound timestamptz := date_trunc('month', of_month::timestamp) at time zone 'UTC';
  upper_bound timestamptz := (date_trunc('month', of_month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  select t.by_column, t.is_append_only into known from partitioned_tables() t where t.name = of_table;
  if known.by_column is null then raise exception '% is not partitioned by month', of_table; end if;
  if to_regclass('public.' || quote_ident(child)) is not null then return false; end if;
  -- No session may add a row of this month to the default partition between the move and the attachment.
  execute format('lock table public.%I in access exclusive mode', of_table || '_default');
  execute format('create table public.%I (like public.%I including defaults including constraints)', child, of_table);
  execute format('with moved as (delete from public.%I where %I >= $1 and %I < $2 returning *) insert into public.%I select * from moved',
    of_table || '_default', known.by_column, known.by_column, child) using lower_bound, upper_bound;
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    of_table, child, lower_bound, upper_bound);
  -- The trigger of the parent does not see a statement that names the partition.
  if known.is_append_only then
    execute format('create trigger %I before update or delete or truncate on public.%I for each statement execute function refuse_change()',
      child || '_is_append_only', child);
  end if;
  return true;
end $$;
revoke all on function ensure_partition(text, date) from public;

-- From the month before to three months ahead. Returns how many were made.
create or replace function ensure_partitions() returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made integer := 0;
  wanted record;
begin
  -- Two workers at once would make the same partition.
  perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
  for wanted in
    select t.name, m::date as month from partitioned_tables() t
    cross join generate_series(date_trunc('month', clock_timestamp() at time zone 'UTC') - interval '1 month',
      date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '3 months', interval '1 month') as m
  loop
    if ensure_partition(wanted.name, wanted.month) then made := made + 1; end if;
  end loop;
  return made;
end $$;
revoke all on function ensure_partitions() from public;

-- Drops the oldest partition of a table that is past this period, by the database's clock. Curves of operations that have
-- none yet are written first, and readings of an operation that is still open stay whatever their age. One partition for
-- each call, because dropping one keeps readers and writers of its table waiting until the end of the transaction. Returns
-- its name; null when there was none, and then rows of the default partition that are past the period are gone too.
create or replace function drop_expired_partition(of_table text, kept interval) returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  known record;
  expired record;
  is_needed boolean := false;
  missing bigint[];
  of_open constant text := 'exists (select from public.ocpp_transactions t join public.operations o on o.id = t.operation_id
    where t.id = m.ocpp_transaction_id and o.closed_at is null)';
begin
  select t.kept_by, t.least_kept into known from partitioned_tables() t where t.name = of_table;
  if known.least_kept is null then raise exception '% is not partitioned by month', of_table; end if;
  if kept is null or kept < known.least_kept then raise exception '% is kept for at least %', of_table, known.least_kept; end if;
  perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
  for expired in
    select c.relname::text as child from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ('public.' || quote_ident(of_table))::regclass and c.relname ~ '_y\d{4}m\d{2}$'
      and (to_date(right(c.relname, 7), 'YYYY"m"MM') + interval '1 month') at time zone 'UTC' <= clock_timestamp() - kept
    order by c.relname
  loop
    if of_table = 'meter_samples' then
      execute format('select exists (select from public.operations o join public.ocpp_transactions t on t.operation_id = o.id
        where o.closed_at is null and exists (select from public.%I m where m.ocpp_transaction_id = t.id))', expired.child)
        into is_needed;
      continue when is_needed;
      execute format('select array_agg(distinct t.operation_id) from public.%I m join ocpp_transactions t on t.id = m.ocpp_transaction_id
        where t.operation_id is not null and not exists (select from operation_curves k where k.operation_id = t.operation_id)',
        expired.child) into missing;
      if missing is not null then perform keep_operation_curves(missing); end if;
    end if;
    execute format('drop table public.%I', expired.child);
    return expired.child;
  end loop;
  execute format('delete from public.%I m where m.%I < clock_timestamp() - $1', of_table || '_default', known.kept_by)
    || case when of_table = 'meter_samples' then ' and not ' || of_open else '' end using kept;
  return null;
end $$;
revoke all on function drop_expired_partition(text, interval) from public;

-- The partition of one day, when it does not exist yet. Rows of that day that waited in the default partition move in.
create or replace function ensure_message_day(of_day date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  child text := 'message_pages_' || to_char(of_day, '"y"YYYY"m"MM"d"DD');
  lower_bound timestamptz := of_day::timestamp at time zone 'UTC';
  upper_bound timestamptz := (of_day + 1)::timestamp at time zone 'UTC';
begin
  if to_regclass('public.' || quote_ident(child)) is not null then return false; end if;
  lock table public.message_pages_default in access exclusive mode;
  execute format('create table public.%I (like public.message_pages including defaults including constraints
    including storage) with (toast_tuple_target = 4080)', child);
  execute format('with moved as (delete from public.message_pages_default where ended_at >= $1 and ended_at < $2 returning *)
    insert into public.%I select * from moved', child) using lower_bound, upper_bound;
  execute format('alter table public.message_pages attach partition public.%I for values from (%L) to (%L)',
    child, lower_bound, upper_bound);
  return true;
end $$;
revoke all on function ensure_message_day(date) from public;

-- From yesterday to seven days ahead, so that a week without the nightly job still has partitions.
create or replace function ensure_message_days() returns integer
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
revoke all on function ensure_message_days() from public;

-- The same for messages, which have a partition for each day.
create or replace function drop_expired_message_day(kept interval) returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  expired text;
begin
  if kept is null or kept < interval '7 days' then raise exception 'message_pages is kept for at least 7 days'; end if;
  perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
  select c.relname::text into expired
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.message_pages'::regclass and c.relname ~ '_y\d{4}m\d{2}d\d{2}$'
    and (to_date(right(c.relname, 10), 'YYYY"m"MM"d"DD') + 1)::timestamp at time zone 'UTC' <= clock_timestamp() - kept
  order by c.relname limit 1;
  if expired is null then
    delete from public.message_pages_default where ended_at < clock_timestamp() - kept;
    return null;
  end if;
  execute format('drop table public.%I', expired);
  return expired;
end $$;
revoke all on function drop_expired_message_day(interval) from public;
