-- The gateway's own: when a lost socket makes a device offline, how energy is counted, outcomes of commands, notices, oddities.

-- Set when a socket is lost: from then on the device is shown as offline unless it came back. Null: nothing is pending.
alter table charge_point_links add column offline_due_at timestamptz;
create index charge_point_links_offline_due on charge_point_links (offline_due_at) where offline_due_at is not null;

alter table ocpp_transactions
  -- What was answered, so that a repeat is answered the same.
  add column id_tag_status text not null default 'Invalid',
  -- Delivered so far, whatever the register did meanwhile. Never falls.
  add column energy_wh bigint not null default 0 check (energy_wh >= 0),
  -- How the register is read: where it counts from, what was counted before it began anew, its true unit.
  add column meter_state jsonb not null default '{}',
  add column device_stopped_at text,
  -- The device's clock could not be believed; `started_at` and `stopped_at` are then ours.
  add column is_clock_skewed boolean not null default false,
  -- Closed by us on the last reading; the device's own StopTransaction, should it still come, corrects it.
  add column is_estimated boolean not null default false,
  add column stop_repeats integer not null default 0;

-- Readings are written only in the transaction that has just read and locked their ocpp_transaction, whose rows are never
-- removed: checking the reference once more for each of thousands of readings a second would cost as much as writing them.
alter table meter_samples drop constraint meter_samples_ocpp_transaction_id_fkey;

-- Both change with every reading of a charge: room on the page lets PostgreSQL do that without touching an index.
alter table ocpp_transactions set (fillfactor = 60);
alter table operations set (fillfactor = 60);

alter table commands
  -- Who is told the outcome: the name of a handler. Null: whoever waits for the answer.
  add column outcome_to text,
  -- A RemoteStop that went down with its node is sent again; a RemoteStart never is.
  add column attempts integer not null default 0;
create index commands_queued on commands (charge_point_id, id) where status = 'queued';
create index commands_sent on commands (charge_point_id) where status = 'sent';

-- What devices tell of their firmware, diagnostics and security. Kept as it came; nobody edits it.
create table charge_point_notices (
  id bigint generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  kind text not null,
  payload jsonb not null,
  received_at timestamptz not null
);
create index charge_point_notices_charge_point on charge_point_notices (charge_point_id, id desc);

-- What devices told that cannot be so. One line for each matter, counted, until staff has looked at it.
create table charge_point_anomalies (
  id bigint generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  kind text not null,
  subject text not null,
  ocpp_transaction_id integer references ocpp_transactions (id),
  details jsonb not null default '{}',
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  resolved_at timestamptz,
  unique (charge_point_id, kind, subject)
);
create index charge_point_anomalies_open on charge_point_anomalies (id desc) where resolved_at is null;

-- A connector that stays in Finishing or Faulted, and how far up the ladder of remedies it is.
create table stuck_connectors (
  id bigint generated always as identity primary key,
  connector_id bigint not null unique references connectors (id),
  ocpp_status text not null,
  since timestamptz not null,
  rung integer not null default 0,
  -- Set while it is well again; soon after, the same trouble goes on where it left off.
  recovered_at timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
create index stuck_connectors_due on stuck_connectors (next_action_at) where next_action_at is not null;
