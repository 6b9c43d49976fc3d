-- Functions of the staff's figures.

create or replace function note_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour) values (date_trunc('hour', new.created_at, 'UTC'));
  return null;
end $$;

create or replace function note_feedback_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour)
    select date_trunc('hour', created_at, 'UTC') from operations where id = new.operation_id;
  return null;
end $$;

-- A guest who registers is counted among registered users from then on, with all that they charged before.
create or replace function note_user_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour)
    select distinct date_trunc('hour', created_at, 'UTC') from operations where user_id = new.id;
  return null;
end $$;

-- A refund, a reversal, a chargeback or a reward changes what a charge has earned and no column of the charge.
create or replace function note_earnings_stats_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into stats_changes (hour)
    select date_trunc('hour', created_at, 'UTC') from operations where id = new.operation_id and closed_at is not null;
  return null;
end $$;
create or replace trigger accounts_earned_stats after update of balance on accounts
  for each row when (new.kind = 'earned' and new.balance <> old.balance) execute function note_earnings_stats_change();

-- What promotions have paid out of the earnings of a charge, less what staff took back; and what else of its total has come in
-- and gone back to the driver: refunds, also those under way, reversals and chargebacks.
create or replace function money_given_back(o operations, out refunded numeric, out rewards numeric)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with promised as (
    select coalesce(sum(t.amount - coalesce(r.amount, 0)), 0) as rewards
    from transfers t left join transfers r on r.key = 'reversal:' || t.id
    where t.key >= 'operation:' || o.id || ':promo:' and t.key < 'operation:' || o.id || ':promo;' and t.kind = 'promo')
  select greatest(0, least(o.total - o.lost, coalesce(p.captured, 0)) - promised.rewards - coalesce(a.balance, 0)), promised.rewards
  from promised left join payments p on p.operation_id = o.id
    left join accounts a on a.operation_id = o.id and a.kind = 'earned'
$$;

-- The figures of a range of creation times, from the operations themselves: what the hours are filled from and what a range
-- that begins or ends within an hour is completed with.
create or replace function count_operations(range_from timestamptz, range_to timestamptz, only_open boolean)
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
    count(f.rating), coalesce(sum(f.rating), 0), min(o.created_at), max(o.created_at),
    coalesce(sum(o.idle_total) filter (where o.status in ('finished', 'pending_final_payment')), 0),
    coalesce(sum(m.refunded), 0), coalesce(sum(m.rewards), 0)
  from operations o join users u on u.id = o.user_id left join feedback f on f.operation_id = o.id
    left join lateral money_given_back(o) m on o.status in ('finished', 'pending_final_payment')
  where o.created_at >= range_from and o.created_at < range_to and (o.closed_at is null) = only_open
  group by 1, 2, 3
$$;

create or replace function sum_stats_day(of_day timestamptz) returns setof stats_days
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select of_day, station_id, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(successful)
  from stats_hours where hour >= of_day and hour < of_day + interval '24 hours' and station_id <> 0
  group by station_id, is_temporary
$$;

create or replace function sum_stats_month(of_month timestamptz) returns setof stats_months
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select of_month, station_id, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(successful)
  from stats_days
  where day >= of_month and day < (of_month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
  group by station_id, is_temporary
$$;

-- Counts hours again that have changed, at most so many, the latest first. Returns how many it counted.
create or replace function recount_stats(at_most integer) returns integer
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  changed timestamptz[];
  days timestamptz[];
  months timestamptz[];
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
      sum(progress_operations), sum(ratings), sum(rating_sum), min(first_at), max(last_at), sum(idle_total),
      sum(refunded), sum(rewards)
    from stats_hours where hour = any (changed) and station_id <> 0 group by hour, is_temporary;
  days := array(select distinct date_trunc('day', h, 'UTC') from unnest(changed) h);
  delete from stats_days where day = any (days);
  insert into stats_days select c.* from unnest(days) d cross join lateral sum_stats_day(d) c;
  months := array(select distinct date_trunc('month', d, 'UTC') from unnest(days) d);
  delete from stats_months where month = any (months);
  insert into stats_months select c.* from unnest(months) m cross join lateral sum_stats_month(m) c;
  return cardinality(changed);
end $$;
