-- Readings and notices by month, so that old ones go with their partition; curves of operations stay; real-time tokens are used once.

-- Both change with every status: room on the page lets PostgreSQL do that without touching an index.
alter table connectors set (fillfactor = 70);
alter table charge_points set (fillfactor = 70);

-- Readings. The partition is chosen by the device's own time, because the same reading sent twice must meet itself in one
-- partition. A time that no partition has (a clock of 1970) goes to the default partition.
alter table meter_samples rename to meter_samples_before;
alter table meter_samples_before rename constraint meter_samples_pkey to meter_samples_before_pkey;
create table meter_samples (
  ocpp_transaction_id integer not null,
  sampled_at timestamptz not null,
  received_at timestamptz not null,
  energy_wh bigint,
  power_w integer,
  current_ma integer,
  soc smallint,
  context text not null,
  -- The same reading sent twice is one reading.
  primary key (ocpp_transaction_id, sampled_at, context)
) partition by range (sampled_at);
create table meter_samples_default partition of meter_samples default;

alter table charge_point_notices rename to charge_point_notices_before;
alter table charge_point_notices_before rename constraint charge_point_notices_pkey to charge_point_notices_before_pkey;
alter index charge_point_notices_charge_point rename to charge_point_notices_before_charge_point;
create table charge_point_notices (
  id bigint generated always as identity,
  charge_point_id bigint not null references charge_points (id),
  kind text not null,
  -- As it was read: an unknown word is `Unknown` here.
  payload jsonb not null,
  -- As it came, as JSON text. Null: written before this was kept.
  raw text,
  received_at timestamptz not null,
  primary key (id, received_at)
) partition by range (received_at);
create table charge_point_notices_default partition of charge_point_notices default;
create index charge_point_notices_charge_point on charge_point_notices (charge_point_id, id desc);

-- What is left of an operation's readings when they are gone: at most 200 points, the same position in each list.
create table operation_curves (
  operation_id bigint primary key references operations (id),
  -- Of the first point, by the device's clock. Null: there were no readings.
  began_at timestamptz,
  seconds integer[] not null,
  energy_wh integer[] not null,
  -- A null among them: that reading had no power.
  power_w integer[] not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Which tables have a partition for each month, by which column, and how long their rows are kept.
create function partitioned_tables() returns table (name text, by_column text, kept interval, kept_by text)
  language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  values ('meter_samples', 'sampled_at', interval '13 months', 'received_at'),
         ('charge_point_notices', 'received_at', interval '90 days', 'received_at')
$$;

-- The partition of one month, when it does not exist yet. Rows of that month that waited in the default partition move in.
create function ensure_partition(of_table text, of_month date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  child text := format('%s_y%sm%s', of_table, to_char(of_month, 'YYYY'), to_char(of_month, 'MM'));
  by_column text := (select t.by_column from partitioned_tables() t where t.name = of_table);
  lower_bound timestamptz := date_trunc('month', of_month::timestamp) at time zone 'UTC';
  upper_bound timestamptz := (date_trunc('month', of_month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  if by_column is null then raise exception '% is not partitioned by month', of_table; end if;
  if to_regclass('public.' || quote_ident(child)) is not null then return false; end if;
  -- Nobody may add a row of this month to the default partition between the move and the attachment.
  execute format('lock table public.%I in access exclusive mode', of_table || '_default');
  execute format('create table public.%I (like public.%I including defaults including constraints)', child, of_table);
  execute format('with moved as (delete from public.%I where %I >= $1 and %I < $2 returning *) insert into public.%I select * from moved',
    of_table || '_default', by_column, by_column, child) using lower_bound, upper_bound;
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    of_table, child, lower_bound, upper_bound);
  return true;
end $$;

-- From the month before to three months ahead. Returns how many were made.
create function ensure_partitions() returns integer
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

-- Writes the curves of these operations from their readings; one that has a curve keeps it.
create function keep_operation_curves(ids bigint[]) returns integer
  language sql set search_path = pg_catalog, public, pg_temp as $$
  with readings as (
    select t.operation_id, m.sampled_at, m.power_w,
      max(m.energy_wh) over of_operation - min(t.meter_start_wh) over (partition by t.operation_id) as since_start,
      first_value(m.sampled_at) over of_operation as began_at,
      row_number() over of_operation as n, count(*) over (partition by t.operation_id) as of
    from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
    where t.operation_id = any(ids) and (m.energy_wh is not null or m.power_w is not null)
    window of_operation as (partition by t.operation_id order by m.sampled_at, m.context)
  ), points as (
    select r.operation_id, r.began_at, r.n, least(floor(extract(epoch from r.sampled_at - r.began_at)), 2147483647)::integer as second,
      -- A register that began again, or has another unit, must not show more than was counted.
      greatest(0, least(coalesce(r.since_start, 0), o.energy_wh, 2147483647))::integer as energy_wh, r.power_w
    from readings r join operations o on o.id = r.operation_id
    where r.n = 1 or r.n * 199 / r.of <> (r.n - 1) * 199 / r.of
  ), curves as (
    select operation_id, min(began_at) as began_at, array_agg(second order by n) as seconds,
      array_agg(energy_wh order by n) as energy_wh, array_agg(power_w order by n) as power_w
    from points group by operation_id
  ), added as (
    insert into operation_curves (operation_id, began_at, seconds, energy_wh, power_w)
    select id, c.began_at, coalesce(c.seconds, '{}'), coalesce(c.energy_wh, '{}'), coalesce(c.power_w, '{}')
    from unnest(ids) as id left join curves c on c.operation_id = id
    on conflict (operation_id) do nothing returning 1
  )
  select count(*)::integer from added
$$;

-- Drops the oldest partition that is past its retention, and nothing else: the clock is the database's, the periods are
-- written above. Curves of operations that have none yet are written first. One partition for each call, because dropping
-- one keeps readers and writers of its table waiting until the end of the transaction. Returns its name; null when there
-- was none, and then rows of the default partitions that are past their retention are gone too.
create function drop_expired_partition() returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  expired record;
  missing bigint[];
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
  select t.name, c.relname::text as child into expired
  from partitioned_tables() t
  join pg_inherits i on i.inhparent = ('public.' || t.name)::regclass
  join pg_class c on c.oid = i.inhrelid
  where c.relname ~ '_y\d{4}m\d{2}$'
    and (to_date(right(c.relname, 7), 'YYYY"m"MM') + interval '1 month') at time zone 'UTC' <= clock_timestamp() - t.kept
  order by c.relname limit 1;
  if expired.child is null then
    for expired in select t.name || '_default' as child, t.kept, t.kept_by from partitioned_tables() t loop
      execute format('delete from public.%I where %I < clock_timestamp() - $1', expired.child, expired.kept_by) using expired.kept;
    end loop;
    return null;
  end if;
  if expired.name = 'meter_samples' then
    execute format('select array_agg(distinct t.operation_id) from public.%I m join ocpp_transactions t on t.id = m.ocpp_transaction_id
      where t.operation_id is not null and not exists (select from operation_curves k where k.operation_id = t.operation_id)',
      expired.child) into missing;
    if missing is not null then perform keep_operation_curves(missing); end if;
  end if;
  execute format('drop table public.%I', expired.child);
  return expired.child;
end $$;

revoke all on function ensure_partition(text, date), ensure_partitions(), drop_expired_partition(),
  keep_operation_curves(bigint[]), partitioned_tables() from public;

-- Rows move to the partitions of their months. What is older than its retention would be dropped the next night, so it
-- stays in the default partition until then.
do $$
declare wanted record;
begin
  for wanted in
    select distinct 'meter_samples' as name, date_trunc('month', sampled_at at time zone 'UTC')::date as month
    from meter_samples_before
    where sampled_at between clock_timestamp() - interval '14 months' and clock_timestamp() + interval '3 months'
    union
    select distinct 'charge_point_notices', date_trunc('month', received_at at time zone 'UTC')::date
    from charge_point_notices_before
  loop
    perform ensure_partition(wanted.name, wanted.month);
  end loop;
  perform ensure_partitions();
end $$;

insert into meter_samples (ocpp_transaction_id, sampled_at, received_at, energy_wh, power_w, current_ma, soc, context)
select ocpp_transaction_id, sampled_at, received_at, energy_wh, power_w, current_ma, soc, context from meter_samples_before;
drop table meter_samples_before;

insert into charge_point_notices (id, charge_point_id, kind, payload, received_at)
overriding system value select id, charge_point_id, kind, payload, received_at from charge_point_notices_before;
select setval(pg_get_serial_sequence('charge_point_notices', 'id'), coalesce((select max(id) from charge_point_notices), 0) + 1, false);
drop table charge_point_notices_before;

-- Commands and anomalies are deleted row by row: both are changed by a key that has no time in it.
create index commands_created on commands (created_at);
create index charge_point_anomalies_last on charge_point_anomalies (last_at);
-- How many one device has added within the hour.
create index charge_point_anomalies_first on charge_point_anomalies (charge_point_id, first_at);

-- Real-time tokens that opened a connection: each opens one.
create table realtime_tokens_used (
  id text primary key,
  expires_at timestamptz not null
);
create index realtime_tokens_used_expires on realtime_tokens_used (expires_at);
