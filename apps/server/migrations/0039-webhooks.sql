-- Webhooks: endpoints of others, events of operations, and one delivery for each pair, with a log of its attempts.

create table webhook_endpoints (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 80),
  url text not null check (length(url) <= 500),
  kinds text[] not null check (cardinality(kinds) > 0),
  -- Encrypted with a key that is derived from SECRET.
  secret bytea not null,
  staff_id bigint not null references users (id),
  created_at timestamptz not null,
  -- Attempts that failed in a row, and when the first of them did.
  failures integer not null default 0,
  failing_since timestamptz,
  -- While it is paused, events are kept and not sent.
  paused_at timestamptz,
  pause_cause text check (pause_cause in ('staff', 'failures')),
  removed_at timestamptz,
  check ((paused_at is null) = (pause_cause is null)),
  check ((failures = 0) = (failing_since is null))
);
create index webhook_endpoints_staff on webhook_endpoints (staff_id);

create table webhook_events (
  id bigint generated always as identity primary key,
  -- The id that receivers see and by which they drop repeats.
  uid uuid not null unique default gen_random_uuid(),
  kind text not null check (kind in ('operation.opened', 'operation.started', 'operation.finished', 'operation.failed',
    'operation.settled', 'operation.refunded', 'test')),
  -- Null for a test. It has no foreign key, because checking one would lock the operation.
  operation_id bigint,
  payload jsonb not null,
  created_at timestamptz not null
);
-- Each of these happens once in the life of an operation; only refunds happen again.
create unique index webhook_events_once on webhook_events (operation_id, kind)
  where operation_id is not null and kind <> 'operation.refunded';
create index webhook_events_created on webhook_events (created_at);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  event_id bigint not null references webhook_events (id) on delete cascade,
  endpoint_id bigint not null references webhook_endpoints (id),
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  -- No attempt is planned after this time.
  retry_until timestamptz not null,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  unique (event_id, endpoint_id)
);
create index webhook_deliveries_due on webhook_deliveries (next_action_at) where next_action_at is not null;
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id) where status = 'pending';

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
  started_at timestamptz not null,
  took_ms integer not null,
  -- Null when there was no answer; then `error` says why.
  http_status integer,
  error text
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id);

create function utc_text(at timestamptz) returns text
  language sql stable as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Writes an event and its deliveries when an endpoint wants it. It runs in the transaction of the change, so neither exists
-- without the other, whichever statement made the change.
create function record_webhook_event(event_kind text, operation operations, at timestamptz, more jsonb) returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  event bigint;
begin
  if not exists (select from webhook_endpoints where removed_at is null and event_kind = any(kinds)) then return; end if;
  insert into webhook_events (kind, operation_id, payload, created_at)
    select event_kind, operation.id, more || jsonb_build_object('operation', jsonb_build_object(
      'id', operation.id,
      'status', operation.status,
      'station', s.number,
      'connector', operation.connector_id,
      'source', operation.source,
      'payment_type', operation.payment_type,
      'price', operation.price,
      'energy_wh', operation.energy_wh,
      'total', operation.total,
      'stop_cause', operation.stop_cause,
      'created_at', utc_text(operation.created_at),
      'started_at', utc_text(operation.started_at),
      'finished_at', utc_text(operation.finished_at))), at
    from stations s where s.id = operation.station_id
    on conflict do nothing
    returning id into event;
  if event is null then return; end if;
  insert into webhook_deliveries (event_id, endpoint_id, created_at, retry_until, next_action_at)
    select event, e.id, at, at + interval '3 days', case when e.paused_at is null then at end
    from webhook_endpoints e where e.removed_at is null and event_kind = any(e.kinds);
end $$;

create function record_operation_events() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  at timestamptz := case when tg_op = 'INSERT' then new.created_at else new.status_at end;
begin
  if tg_op = 'INSERT' then perform record_webhook_event('operation.opened', new, at, '{}'); end if;
  if new.status in ('ongoing', 'finishing') then perform record_webhook_event('operation.started', new, at, '{}'); end if;
  if new.status in ('pending_final_payment', 'finished') then
    perform record_webhook_event('operation.finished', new, at, '{}');
  end if;
  if new.status = 'finished' then perform record_webhook_event('operation.settled', new, at, '{}'); end if;
  if new.status in ('failed', 'failed_hold', 'canceled') then
    perform record_webhook_event('operation.failed', new, at, '{}');
  end if;
  return null;
end $$;
create trigger operations_inserted_webhooks after insert on operations
  for each row execute function record_operation_events();
create trigger operations_changed_webhooks after update on operations
  for each row when (old.status is distinct from new.status) execute function record_operation_events();

create function record_refund_event() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  operation operations;
begin
  if not exists (select from webhook_endpoints where removed_at is null and 'operation.refunded' = any(kinds)) then
    return null;
  end if;
  select * into operation from operations where id = new.operation_id;
  perform record_webhook_event('operation.refunded', operation, clock_timestamp(), jsonb_build_object(
    'refund', jsonb_build_object('amount', new.refunded - old.refunded, 'refunded_total', new.refunded)));
  return null;
end $$;
create trigger payments_refunded_webhooks after update on payments
  for each row when (new.operation_id is not null and new.refunded > old.refunded) execute function record_refund_event();
