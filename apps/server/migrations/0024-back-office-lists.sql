-- Lists of staff in a large network: a station's and a user's operations with any filters, a station's feedback, and the stations of a year.

-- Both indexes also hold what staff filter by, so that a filter which matches little or nothing is answered from the index
-- alone. Every added column was in an indexed position before, so no update of a row became more expensive to find.
drop index operations_station_created;
create index operations_station_created on operations (station_id, created_at desc, id desc)
  include (status, hold_status, payment_type, user_id);
drop index operations_by_user;
create index operations_by_user on operations (user_id, id desc)
  include (created_at, status, hold_status, payment_type, station_id);

-- The station of the operation, because feedback of one station is listed newest first.
alter table feedback add column station_id bigint;
-- The figures per hour do not change by this, so their hours are not counted again.
alter table feedback disable trigger feedback_stats;
update feedback f set station_id = o.station_id from operations o where o.id = f.operation_id;
alter table feedback enable trigger feedback_stats;

create function set_feedback_station() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  select station_id into new.station_id from operations where id = new.operation_id;
  return new;
end $$;
create trigger feedback_has_station before insert on feedback for each row execute function set_feedback_station();
create index feedback_by_station on feedback (station_id, id desc) include (rating);

-- Figures of a UTC day and a station, from its hours. A year of the largest stations would be millions of hours.
create table stats_days (
  day timestamptz not null,
  station_id bigint not null,
  is_temporary boolean not null,
  operations bigint not null,
  energy_wh numeric not null,
  total numeric not null,
  successful bigint not null,
  primary key (day, station_id, is_temporary)
);

create function sum_stats_day(of_day timestamptz) returns setof stats_days
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select of_day, station_id, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(successful)
  from stats_hours where hour >= of_day and hour < of_day + interval '24 hours' and station_id <> 0
  group by station_id, is_temporary
$$;

insert into stats_days
  select date_trunc('day', hour, 'UTC'), station_id, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(successful)
  from stats_hours where station_id <> 0 group by 1, 2, 3;

-- Counts hours again that have changed, at most so many, the latest first. Returns how many it counted.
create or replace function recount_stats(at_most integer) returns integer
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  changed timestamptz[];
  days timestamptz[];
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
  days := array(select distinct date_trunc('day', h, 'UTC') from unnest(changed) h);
  delete from stats_days where day = any (days);
  insert into stats_days select c.* from unnest(days) d cross join lateral sum_stats_day(d) c;
  return cardinality(changed);
end $$;
