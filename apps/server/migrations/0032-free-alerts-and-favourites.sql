-- Drivers who wait for a free connector, in order; and the stations that a driver has marked.

create table free_alerts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  station_id bigint not null references stations (id),
  connector_type text not null,
  -- Null for any connector of the type.
  connector_id bigint references connectors (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The free connector that its driver was notified of, and how long no other driver is.
  notified_connector_id bigint references connectors (id),
  head_start_until timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason in ('withdrawn', 'expired', 'charging', 'passed', 'replaced')),
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check ((ended_at is null) = (end_reason is null)),
  check ((head_start_until is null) = (notified_connector_id is null))
);
create unique index free_alerts_one_open on free_alerts (user_id, station_id) where ended_at is null;
create index free_alerts_queue on free_alerts (station_id, id) where ended_at is null;
create index free_alerts_due on free_alerts (next_action_at) where next_action_at is not null;
-- A connector is offered to one driver at a time.
create unique index free_alerts_one_offer on free_alerts (notified_connector_id)
  where ended_at is null and notified_connector_id is not null;

create table favourite_stations (
  user_id bigint not null references users (id),
  station_id bigint not null references stations (id),
  created_at timestamptz not null,
  primary key (user_id, station_id)
);
create index favourite_stations_station on favourite_stations (station_id);
