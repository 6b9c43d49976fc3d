-- The network: charge points (devices), stations (what a driver sees), connectors, tariffs, promotions, and commands to devices.

create table charge_points (
  id bigint generated always as identity primary key,
  identity text not null unique,
  -- HMAC-SHA-256 of 20 random bytes with the server's secret: thousands may reconnect at once, argon2 could not keep up.
  key_hash bytea not null,
  vendor text,
  model text,
  serial_number text,
  firmware_version text,
  -- What the device said of itself, and what could not be set on it.
  configuration jsonb not null default '{}',
  booted_at timestamptz,
  -- Online while frames come; offline after 60 s of silence.
  is_online boolean not null default false,
  online_changed_at timestamptz,
  -- What it says of itself as a whole (connector 0): Unavailable or Faulted takes all its connectors out of service.
  ocpp_status text,
  error_code text,
  status_at timestamptz,
  status_device_at timestamptz,
  created_at timestamptz not null
);

-- Programs that share this database. One without a heartbeat for 10 s is dead and so are its sockets.
create table nodes (
  id text primary key,
  heartbeat_at timestamptz not null,
  started_at timestamptz not null
);

-- Who holds a charge point's socket. Writes and answers of an older epoch are dropped.
create table charge_point_links (
  charge_point_id bigint primary key references charge_points (id),
  epoch bigint not null default 0,
  node_id text,
  connected_at timestamptz,
  lost_at timestamptz
);
create index charge_point_links_node on charge_point_links (node_id) where node_id is not null;

create table tariffs (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- Kopecks per kWh; 0 is a free connector.
  price integer not null check (price >= 0),
  -- [{weekdays, from, to, price}] in Kyiv time: days 1 (Monday) to 7, whole hours, the first row that fits; what no row
  -- covers costs `price`.
  hours jsonb,
  -- {from, to, percent, text}: days MM-DD (each year) or YYYY-MM-DD; while it lasts the lower price is asked and the
  -- usual one is shown struck out.
  discount jsonb
);

create table stations (
  id bigint generated always as identity primary key,
  number text not null unique,
  address text not null,
  address_uk text not null,
  lat double precision not null check (lat between -90 and 90),
  lon double precision not null check (lon between -180 and 180),
  -- Stations whose coordinates round to the same 4 decimals share a marker.
  chunk text not null generated always as (round(lat::numeric, 4) || ',' || round(lon::numeric, 4)) stored,
  -- A virtual station has no connectors of its own: it lists those of several real ones.
  is_virtual boolean not null default false,
  party_id bigint references parties (id),
  created_at timestamptz not null
);
create index stations_chunk on stations (chunk);
create index stations_party on stations (party_id) where party_id is not null;

create table connectors (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  charge_point_id bigint not null references charge_points (id),
  ocpp_connector integer not null check (ocpp_connector >= 1),
  type text not null,
  power_w integer not null check (power_w > 0),
  has_cable boolean not null default true,
  -- Null: nobody has set a price yet. That is a failure to be seen, never a free charge.
  tariff_id bigint references tariffs (id),
  -- The device's last word, and when by our clock and by its own. Words are put in order by the device's clock alone:
  -- it may be hours off, but it is off for all of them.
  ocpp_status text,
  error_code text,
  status_at timestamptz,
  status_device_at timestamptz,
  unique (charge_point_id, ocpp_connector)
);
create index connectors_station on connectors (station_id);
create index connectors_tariff on connectors (tariff_id);

create table virtual_station_connectors (
  station_id bigint not null references stations (id),
  connector_id bigint not null references connectors (id),
  position integer not null default 0,
  primary key (station_id, connector_id)
);
create index virtual_station_connectors_connector on virtual_station_connectors (connector_id);

-- The order in which stations changed, one for all nodes: a map of version n continues with what has a greater one.
-- Outbox ids cannot be that order, because they become visible in any other; so whoever first sees a row there, under a
-- lock, gives it its place here.
create table station_changes (
  version bigint generated always as identity primary key,
  station_id bigint not null,
  created_at timestamptz not null default clock_timestamp()
);
alter table outbox add column is_counted boolean not null default false;
create index outbox_station_uncounted on outbox (id) where topic = 'station' and not is_counted;

-- What our QR codes carry.
create table links (
  code text primary key,
  station_id bigint not null references stations (id)
);
create index links_station on links (station_id);

-- Data, not code: where, when and what. Days without a year come back each year.
create table promotions (
  id bigint generated always as identity primary key,
  code text not null,
  kind text not null check (kind in ('banner', 'marker', 'reward')),
  -- Null: the whole network.
  station_id bigint references stations (id),
  -- Both days count; a window may run over New Year. Null: always.
  from_day text check (from_day ~ '^\d\d-\d\d$'),
  to_day text check (to_day ~ '^\d\d-\d\d$'),
  -- A reward: {min_energy_wh, amount}.
  terms jsonb not null default '{}',
  unique nulls not distinct (code, kind, station_id),
  check ((from_day is null) = (to_day is null))
);

-- A command to a device is a row: the node that holds its socket sends it and writes the answer.
create table commands (
  id bigint generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  action text not null,
  payload jsonb not null,
  -- queued, sent, answered, error, timeout, offline, unknown (may have been sent when its node died)
  status text not null default 'queued',
  answer jsonb,
  operation_id bigint,
  requested_by bigint references users (id),
  node_id text,
  epoch bigint,
  created_at timestamptz not null,
  sent_at timestamptz,
  answered_at timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
create index commands_due on commands (next_action_at) where next_action_at is not null;
create index commands_charge_point on commands (charge_point_id, id desc);
