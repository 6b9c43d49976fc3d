-- Operations: one visit to a connector each, from the payment to the receipt, with their log and meter readings.

create table operations (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- The station whose page the driver used, which may be a virtual one.
  station_id bigint not null references stations (id),
  connector_id bigint not null references connectors (id),
  charge_point_id bigint not null references charge_points (id),
  car_id bigint references cars (id),
  status text not null check (status in ('created', 'pending', 'starting', 'ongoing', 'finishing', 'finished',
    'pending_final_payment', 'canceled', 'failed', 'failed_hold')),
  source text not null default 'app' check (source in ('app', 'rfid')),
  payment_type text not null check (payment_type in ('bank', 'bonuses', 'free')),
  target text not null check (target in ('kwh', 'uah')),
  -- Kopecks per kWh, fixed from here on whatever the tariff does later.
  price integer not null check (price >= 0),
  deposit bigint not null check (deposit >= 0),
  -- Null: free, no limit.
  energy_limit_wh bigint,
  ref_id text,
  -- The signed request that opened it: a repeat finds this row instead of opening another.
  request_key text unique,
  -- Single-use tag of the remote start; upper case, because devices change the case.
  id_tag text not null unique,
  start_attempt integer not null default 0,
  -- Where the present attempt stands: sent, accepted, offline (never delivered), lost (delivered, then the socket went).
  start_phase text check (start_phase in ('sent', 'accepted', 'offline', 'lost')),
  max_attempts integer not null default 3,
  energy_wh bigint not null default 0 check (energy_wh >= 0),
  total bigint not null default 0 check (total >= 0),
  real_total bigint not null default 0 check (real_total >= 0),
  -- Total that was never captured.
  lost bigint not null default 0 check (lost >= 0),
  -- Null: the device does not say.
  power_w integer,
  current_ma integer,
  soc smallint,
  last_sample_at timestamptz,
  -- When the stop must be sent so that the energy ends at the limit, foreseen from the present power.
  stop_due_at timestamptz,
  -- When the total reached the deposit.
  limit_reached_at timestamptz,
  -- Since when the car takes nothing although it is connected.
  idle_since timestamptz,
  stop_requested_at timestamptz,
  -- Who or what ended it: driver, staff, rfid, car, station, limit, watchdog.
  stop_cause text,
  -- The device's own word.
  stop_reason text,
  failure_reason text,
  comment text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  closed_at timestamptz,
  -- When the present status began: what stands too long in one is stuck.
  status_at timestamptz not null default now(),
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check (total <= deposit or payment_type = 'free')
);
-- The database itself decides the race for a connector.
create unique index operations_one_open_per_connector on operations (connector_id)
  where status in ('created', 'pending', 'starting', 'ongoing', 'finishing');
create index operations_open_by_user on operations (user_id)
  where status in ('created', 'pending', 'starting', 'ongoing', 'finishing');
create index operations_by_user on operations (user_id, id desc);
create index operations_by_station on operations (station_id, id desc);
create index operations_due on operations (next_action_at) where next_action_at is not null;

-- A charge as the device tells it. StartTransaction is a fact: it gets an id whatever we think of it.
create table ocpp_transactions (
  -- What OCPP 1.6 calls transactionId: unique over the whole network, never 0 or negative.
  id integer generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  connector_id bigint references connectors (id),
  ocpp_connector integer not null,
  operation_id bigint references operations (id),
  id_tag text not null,
  meter_start_wh bigint not null,
  -- The device's clock and ours: billing trusts the device only as far as the two agree.
  device_started_at text not null,
  started_at timestamptz not null,
  last_meter_wh bigint,
  last_sample_at timestamptz,
  meter_stop_wh bigint,
  stop_reason text,
  stopped_at timestamptz,
  -- The same StartTransaction sent again gets the same id back.
  unique (charge_point_id, ocpp_connector, id_tag, device_started_at, meter_start_wh)
);
create index ocpp_transactions_operation on ocpp_transactions (operation_id) where operation_id is not null;
create index ocpp_transactions_open on ocpp_transactions (charge_point_id) where stopped_at is null;

create table meter_samples (
  ocpp_transaction_id integer not null references ocpp_transactions (id),
  sampled_at timestamptz not null,
  received_at timestamptz not null,
  energy_wh bigint,
  power_w integer,
  current_ma integer,
  soc smallint,
  context text not null,
  -- The same reading sent twice is one reading.
  primary key (ocpp_transaction_id, sampled_at, context)
);

create table operation_log (
  id bigint generated always as identity primary key,
  operation_id bigint not null references operations (id),
  actor text not null,
  text text not null,
  -- Exchanges with the device and the bank: only for staff with access-tech-logs.
  is_technical boolean not null default false,
  created_at timestamptz not null
);
create index operation_log_operation on operation_log (operation_id, id);

-- What the watchdogs noticed and did; staff see it as the terminator's list.
create table terminations (
  id bigint generated always as identity primary key,
  operation_id bigint not null references operations (id),
  type text not null check (type in ('over_limit', 'silent', 'stuck', 'idle', 'away', 'hold_ending', 'forgotten')),
  noticed_at timestamptz not null,
  -- The stop that was asked for was not heeded in time: settled on the last reading.
  settled_at timestamptz,
  unique (operation_id, type)
);
create index terminations_newest on terminations (noticed_at desc);

-- What a driver says afterwards: a rating of a finished operation, or an issue (rating 1) of one that did not work.
create table feedback (
  id bigint generated always as identity primary key,
  operation_id bigint not null unique references operations (id),
  user_id bigint not null references users (id),
  rating smallint not null check (rating between 1 and 5),
  comment text,
  created_at timestamptz not null
);
create index feedback_newest on feedback (id desc, rating);
