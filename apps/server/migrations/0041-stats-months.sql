-- Figures of a UTC month and a station, from its days: the best stations of a year are chosen from twelve rows each instead of 365.
create table stats_months (
  month timestamptz not null,
  station_id bigint not null,
  is_temporary boolean not null,
  operations bigint not null,
  energy_wh numeric not null,
  total numeric not null,
  successful bigint not null,
  primary key (month, station_id, is_temporary)
);

create function sum_stats_month(of_month timestamptz) returns setof stats_months
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select of_month, station_id, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(successful)
  from stats_days
  where day >= of_month and day < (of_month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
  group by station_id, is_temporary
$$;

insert into stats_months
  select m.* from (select distinct date_trunc('month', day, 'UTC') as month from stats_days) d
    cross join lateral sum_stats_month(d.month) m;

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
      sum(progress_operations), sum(ratings), sum(rating_sum), min(first_at), max(last_at), sum(idle_total)
    from stats_hours where hour = any (changed) and station_id <> 0 group by hour, is_temporary;
  days := array(select distinct date_trunc('day', h, 'UTC') from unnest(changed) h);
  delete from stats_days where day = any (days);
  insert into stats_days select c.* from unnest(days) d cross join lateral sum_stats_day(d) c;
  months := array(select distinct date_trunc('month', d, 'UTC') from unnest(days) d);
  delete from stats_months where month = any (months);
  insert into stats_months select c.* from unnest(months) m cross join lateral sum_stats_month(m) c;
  return cardinality(changed);
end $$;
