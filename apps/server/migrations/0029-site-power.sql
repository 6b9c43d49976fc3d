-- A limit in watts that the connectors of several stations share, what each running charge may take of it, outages and commissionings.

create table sites (
  id bigint generated always as identity primary key,
  name text not null,
  limit_w integer not null check (limit_w > 0),
  -- Kept free for what is not measured.
  reserve_w integer not null default 0 check (reserve_w >= 0),
  created_at timestamptz not null,
  -- When the shares are planned again.
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check (reserve_w < limit_w)
);
create index sites_due on sites (next_action_at) where next_action_at is not null;

-- A station belongs to one site at most.
create table site_stations (
  station_id bigint primary key references stations (id),
  site_id bigint not null references sites (id)
);
create index site_stations_site on site_stations (site_id);

alter table operations
  -- The power that was asked of the device for this charge; null when its site has no limit.
  add column share_w integer check (share_w >= 0),
  -- The power that the device has accepted; null when it has accepted none, so that it may take its rated power.
  add column share_cap_w integer,
  add column share_cap_at timestamptz,
  -- The command that has not been answered yet.
  add column share_command_id bigint;

-- When a charge point was away, for the uptime of its station..
create table charge_point_outages (
  id bigint generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  began_at timestamptz not null,
  -- Null while it lasts.
  ended_at timestamptz
);
create index charge_point_outages_charge_point on charge_point_outages (charge_point_id, began_at);
create unique index charge_point_outages_open on charge_point_outages (charge_point_id) where ended_at is null;
insert into charge_point_outages (charge_point_id, began_at)
  select id, online_changed_at from charge_points where not is_online and online_changed_at is not null;

-- The checklist of a new charge point. Its steps are read from what the charger reports; a finished one keeps its result.
create table commissionings (
  id bigint generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  staff_id bigint not null references users (id),
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Step → what the technician wrote about its fault.
  faults jsonb not null default '{}',
  -- The steps at the end; null while it is open.
  result jsonb,
  check ((finished_at is null) = (result is null))
);
create index commissionings_charge_point on commissionings (charge_point_id, id desc);
