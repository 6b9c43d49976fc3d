-- Functions of readings.

-- Writes the curves of these operations from their readings; one that has a curve keeps it.
create or replace function keep_operation_curves(ids bigint[]) returns integer
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
revoke all on function keep_operation_curves(bigint[]) from public;
