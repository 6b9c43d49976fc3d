-- A limit in watts that the connectors of several stations share, and what each running charge may take of it.

create table sites (
  id bigint generated always as identity primary key,
  name text not null,
  limit_w integer not null check (limit_w > 0),
  -- Kept free for what is not measured.
  reserve_w integer not null default 0 check (reserve_w >= 0),
  created_at timestamptz not null,
  -- Counted by the controller: how long the measured power was above the limit without a break, and the longest of a day.
  over_since timestamptz,
  -- When the shares are planned again; null while no car charges.
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
