-- What staff need to build the network from the back office: notes and opening hours of stations, retired stations and
-- removed connectors, planned maintenance, and tariffs whose changes are planned and remembered.

alter table stations
  -- Shown to drivers: how to find the charger, how to open the barrier.
  add column note text,
  -- Null: round the clock. {weekdays, weekend}, each {from, to} as HH:mm in Kyiv time, or null for closed.
  add column opening_hours jsonb,
  -- A retired station keeps its history, and drivers no longer see it.
  add column retired_at timestamptz,
  add column changed_at timestamptz;

-- A removed connector keeps its history. Its place on the device is free again, so the row comes back when staff add it.
alter table connectors add column removed_at timestamptz;

-- Work at a station or at one of its connectors. While it lasts, no charge starts there; running charges go on.
create table maintenance_windows (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  -- Null: the whole station.
  connector_id bigint references connectors (id),
  -- Shown to drivers.
  reason text not null,
  starts_at timestamptz not null,
  -- Null: until staff end it.
  ends_at timestamptz,
  -- Due work moves it along when a time has come, so that no reader compares times.
  status text not null check (status in ('planned', 'active', 'ended')),
  created_at timestamptz not null,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check (ends_at is null or ends_at >= starts_at)
);
create index maintenance_windows_station on maintenance_windows (station_id, id desc);
create index maintenance_windows_connector on maintenance_windows (connector_id) where connector_id is not null;
create index maintenance_windows_active on maintenance_windows (station_id) where status = 'active';
create index maintenance_windows_due on maintenance_windows (next_action_at) where next_action_at is not null;

-- Every price that a tariff has had, and those that are planned. The present one is also in `tariffs`, where it is read.
create table tariff_changes (
  id bigint generated always as identity primary key,
  tariff_id bigint not null references tariffs (id),
  price integer not null check (price >= 0),
  hours jsonb,
  discount jsonb,
  starts_at timestamptz not null,
  status text not null check (status in ('planned', 'applied', 'withdrawn')),
  staff_id bigint not null references users (id),
  created_at timestamptz not null,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
create index tariff_changes_tariff on tariff_changes (tariff_id, id desc);
create index tariff_changes_staff on tariff_changes (staff_id);
create index tariff_changes_due on tariff_changes (next_action_at) where next_action_at is not null;
