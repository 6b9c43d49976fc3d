-- The staff back office: indexes of its lists, support notes, approvals of large sums, and figures per UTC hour.

-- Staff filter operations by the state of their payment. Joining two tables of ten million rows for a pair of filters that
-- matches nothing would read both, so the operation carries its payment's status and what is paid of it.
alter table operations
  add column hold_status text not null default 'none',
  -- Captured and not refunded.
  add column paid bigint not null default 0;
update operations o set hold_status = p.hold_status, paid = p.captured - p.refunded from payments p where p.operation_id = o.id;

create function copy_payment_to_operation() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update operations set hold_status = new.hold_status, paid = new.captured - new.refunded
    where id = new.operation_id
      and (hold_status is distinct from new.hold_status or paid is distinct from new.captured - new.refunded);
  return null;
end $$;
create trigger payments_copy_to_operation after insert or update on payments
  for each row when (new.operation_id is not null) execute function copy_payment_to_operation();

-- Lists are in the order of creation. One index serves every set of status, hold and payment filters, because each
-- combination of values is a range of its own in it, and a range of time is a part of that range.
create index operations_filters on operations (status, hold_status, payment_type, created_at desc, id desc);
create index operations_created on operations (created_at desc, id desc);
create index operations_station_created on operations (station_id, created_at desc, id desc);
create index operations_closed on operations (closed_at) where closed_at is not null;
create index operations_not_closed on operations (id) where closed_at is null;
create index operations_lost on operations (id desc) where lost > 0;

create index users_by_role on users (role, id desc);
create index users_by_name on users (lower(name) text_pattern_ops);
-- Support is often given the last digits of a number.
create index users_by_phone_end on users (reverse(phone_number) text_pattern_ops);

create index payments_by_card_end on payments (right(masked_pan, 4), id desc) where masked_pan is not null;
create index payments_by_rrn on payments (rrn) where rrn is not null;
create index refunds_reversing on refunds (reverses_id) where reverses_id is not null;
create index payments_held on payments (held_at) where status = 'hold';
create index payments_overridden on payments (id desc) where is_overridden;
create index money_anomalies_open_kind on money_anomalies (kind, id desc) where resolved_at is null;
create index wallets_shared on wallets (id desc) where is_shared;
create index rfid_cards_by_tag on rfid_cards (id_tag text_pattern_ops);

create index feedback_by_user on feedback (user_id, id desc);
create index feedback_with_comment on feedback (id desc, rating) where comment is not null;
create index feedback_by_rating on feedback (rating, id desc);

create index audit_staff on audit (staff_id, id desc);
create index audit_action on audit (action text_pattern_ops, id desc);
create index audit_created on audit (created_at);

-- What staff remember about a user or an operation.
create table support_notes (
  id bigint generated always as identity primary key,
  subject_kind text not null check (subject_kind in ('user', 'operation')),
  subject_id bigint not null,
  staff_id bigint not null references users (id),
  text text not null,
  created_at timestamptz not null
);
create index support_notes_subject on support_notes (subject_kind, subject_id, id desc);
create trigger support_notes_are_append_only before update or delete or truncate on support_notes
  for each statement execute function refuse_change();

-- A sum above the limit of the settings waits here until a second staff member decides.
create table balance_approvals (
  id bigint generated always as identity primary key,
  action text not null check (action in ('increase', 'decrease')),
  user_id bigint not null references users (id),
  amount bigint not null check (amount > 0),
  requested_by bigint not null references users (id),
  -- The signed request that asked: its repeat finds this row.
  request_key text not null unique,
  created_at timestamptz not null,
  decided_by bigint references users (id),
  decided_at timestamptz,
  is_approved boolean,
  check ((decided_at is null) = (decided_by is null) and (decided_at is null) = (is_approved is null))
);
create index balance_approvals_open on balance_approvals (id) where decided_at is null;

-- Figures of operations that were created in an hour and are closed. Open ones are few and are counted as they are.
-- Station 0 is the sum of all stations.
create table stats_hours (
  hour timestamptz not null,
  station_id bigint not null,
  is_temporary boolean not null,
  operations bigint not null,
  energy_wh numeric not null,
  total numeric not null,
  total_balance numeric not null,
  over_limit numeric not null,
  overcharge numeric not null,
  lost numeric not null,
  successful bigint not null,
  failed bigint not null,
  canceled bigint not null,
  failed_hold bigint not null,
  ongoing bigint not null,
  ongoing_total numeric not null,
  created bigint not null,
  free bigint not null,
  promo bigint not null,
  deposit numeric not null,
  paid_operations bigint not null,
  -- Sum of the shares of the limit in millionths, and how many operations have one.
  progress numeric not null,
  progress_operations bigint not null,
  ratings bigint not null,
  rating_sum bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (station_id, hour, is_temporary)
);
create index stats_hours_hour on stats_hours (hour);

-- Hours whose figures are out of date. Rows are only added, because a key that two settlements share would make one wait for
-- the other; the job that counts the hour again removes them.
create table stats_changes (
  id bigint generated always as identity primary key,
  hour timestamptz not null
);
create index stats_changes_hour on stats_changes (hour);

create function note_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour) values (date_trunc('hour', new.created_at, 'UTC'));
  return null;
end $$;
create trigger operations_closed_stats after insert on operations
  for each row when (new.closed_at is not null) execute function note_stats_change();
create trigger operations_changed_stats after update on operations
  for each row when (new.closed_at is not null or old.closed_at is not null) execute function note_stats_change();

create function note_feedback_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour)
    select date_trunc('hour', created_at, 'UTC') from operations where id = new.operation_id;
  return null;
end $$;
create trigger feedback_stats after insert or update on feedback
  for each row execute function note_feedback_stats_change();

-- A guest who registers is counted among registered users from then on, with all that they charged before.
create function note_user_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour)
    select distinct date_trunc('hour', created_at, 'UTC') from operations where user_id = new.id;
  return null;
end $$;
create trigger users_temporary_stats after update on users
  for each row when (old.is_temporary is distinct from new.is_temporary) execute function note_user_stats_change();

-- The figures of a range of creation times, from the operations themselves: what the hours are filled from and what a range
-- that begins or ends within an hour is completed with.
create function count_operations(range_from timestamptz, range_to timestamptz, only_open boolean)
  returns setof stats_hours language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select date_trunc('hour', o.created_at, 'UTC'), o.station_id, u.is_temporary,
    count(*), sum(o.energy_wh), coalesce(sum(o.total) filter (where o.status in ('finished', 'pending_final_payment')), 0),
    coalesce(sum(o.total) filter (where o.status in ('finished', 'pending_final_payment') and o.payment_type = 'bonuses'), 0),
    coalesce(sum(greatest(o.real_total - o.total, 0)) filter (where o.status in ('finished', 'pending_final_payment') and o.payment_type <> 'free'), 0),
    coalesce(sum(greatest(o.paid - o.total, 0)) filter (where o.closed_at is not null), 0),
    sum(o.lost),
    count(*) filter (where o.status in ('finished', 'pending_final_payment')),
    count(*) filter (where o.status = 'failed'),
    count(*) filter (where o.status = 'canceled'),
    count(*) filter (where o.status = 'failed_hold'),
    count(*) filter (where o.status in ('ongoing', 'finishing')),
    coalesce(sum(o.total) filter (where o.status in ('ongoing', 'finishing')), 0),
    count(*) filter (where o.status = 'created'),
    count(*) filter (where o.payment_type = 'free'),
    count(*) filter (where o.status = 'finished' and exists (select from transfers t
      where t.key >= 'operation:' || o.id || ':promo:' and t.key < 'operation:' || o.id || ':promo;')),
    coalesce(sum(o.deposit) filter (where o.payment_type <> 'free'), 0),
    count(*) filter (where o.payment_type <> 'free'),
    coalesce(sum(least(o.energy_wh * 1000000 / o.energy_limit_wh, 1000000)) filter (where o.status = 'finished' and o.energy_limit_wh > 0), 0),
    count(*) filter (where o.status = 'finished' and o.energy_limit_wh > 0),
    count(f.rating), coalesce(sum(f.rating), 0), min(o.created_at), max(o.created_at)
  from operations o join users u on u.id = o.user_id left join feedback f on f.operation_id = o.id
  where o.created_at >= range_from and o.created_at < range_to and (o.closed_at is null) = only_open
  group by 1, 2, 3
$$;

-- Counts hours again that have changed, at most so many, the latest first. Returns how many it counted.
create function recount_stats(at_most integer) returns integer
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  changed timestamptz[];
begin
  -- Two workers at once would write the same rows.
  perform pg_advisory_xact_lock(hashtextextended('stats', 0));
  select array_agg(hour) into changed from (select distinct hour from stats_changes order by hour desc limit at_most) latest;
  if changed is null then return 0; end if;
  -- What changes after this statement leaves a row behind that this transaction does not see and does not remove.
  delete from stats_changes where hour = any (changed);
  delete from stats_hours where hour = any (changed);
  insert into stats_hours
    select c.* from unnest(changed) as h cross join lateral count_operations(h, h + interval '1 hour', false) c;
  insert into stats_hours
    select hour, 0, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(total_balance), sum(over_limit),
      sum(overcharge), sum(lost), sum(successful), sum(failed), sum(canceled), sum(failed_hold), sum(ongoing),
      sum(ongoing_total), sum(created), sum(free), sum(promo), sum(deposit), sum(paid_operations), sum(progress),
      sum(progress_operations), sum(ratings), sum(rating_sum), min(first_at), max(last_at)
    from stats_hours where hour = any (changed) and station_id <> 0 group by hour, is_temporary;
  return cardinality(changed);
end $$;

insert into stats_changes (hour) select distinct date_trunc('hour', created_at, 'UTC') from operations where closed_at is not null;
