-- Functions of feedback.

create or replace function set_feedback_station() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  select station_id into new.station_id from operations where id = new.operation_id;
  return new;
end $$;
