-- What every feature stands on: events between nodes, limits, request nonces, the maintenance switch and the audit trail.

-- A row says that something changed (topic and id), never what: whoever cares reads it anew.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  ref text not null,
  -- Sweeps go by transaction, not by id: ids of one moment become visible in any order, finished transactions do not.
  txid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp()
);
create index outbox_txid on outbox (txid);

-- Counters of limits; unlogged because losing them in a crash costs nothing but a fresh start of the minute.
create unlogged table rate_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at on rate_limits (resets_at);

-- Each signed request counts once. A money-moving one keeps its first answer, so a repeat is told the same.
create table request_nonces (
  owner text not null,
  nonce text not null,
  request_hash text not null,
  status integer,
  answer text,
  -- While the first request runs; past it, whoever repeats the request may take it over.
  claimed_until timestamptz not null,
  created_at timestamptz not null,
  primary key (owner, nonce)
);
create index request_nonces_created_at on request_nonces (created_at);

-- At most one row: the present shutdown. No row means the service is on.
create table maintenance (
  is_single boolean primary key default true check (is_single),
  start_time timestamptz not null,
  end_time timestamptz,
  text text
);

-- Every staff action: who did what to whom, before and after. Nobody edits history.
create table audit (
  id bigint generated always as identity primary key,
  staff_id bigint,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null
);
create index audit_subject on audit (subject_kind, subject_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();
