-- A page of the message log is a block of raw frames. Pages that are stored already keep their lines until they expire.

-- A frame is copied into the block as it went over the wire; a call is joined with its answer when staff read the log.
-- Exactly one of the two columns has a value.
alter table message_pages alter column lines drop not null;
alter table message_pages add column frames bytea;
-- Compression would cost more CPU than the bytes that it saves.
alter table message_pages alter column frames set storage external;

-- Two blocks fill a page of PostgreSQL. With the usual limit of 2 KB a block would be stored in a second table.
do $$
declare
  child regclass;
begin
  for child in select inhrelid::regclass from pg_inherits where inhparent = 'message_pages'::regclass loop
    execute format('alter table %s set (toast_tuple_target = 4080)', child);
  end loop;
end $$;

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
