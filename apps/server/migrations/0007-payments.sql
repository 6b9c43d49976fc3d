-- Payments: holds on cards, top-ups and deposits from the balance; refunds; every exchange with the bank; what does not add up.

create table payments (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('operation', 'top_up')),
  method text not null check (method in ('bank', 'bonuses')),
  operation_id bigint unique references operations (id),
  user_id bigint not null references users (id),
  -- The wallet that a top-up fills or a deposit comes from.
  wallet_id bigint references wallets (id),
  -- Where a deposit from the balance waits.
  reserve_account bigint,
  amount bigint not null check (amount > 0),
  -- The last state we are certain of.
  status text not null check (status in ('pending', 'created', 'processing', 'hold', 'success', 'failure', 'reversed', 'expired')),
  -- The bank could not be asked, or said something we do not know.
  is_uncertain boolean not null default false,
  hold_status text not null generated always as (case when is_uncertain then 'unknown' else status end) stored,
  -- What we want of the bank next; stored before it is tried.
  wanted text check (wanted in ('capture', 'release')),
  -- The sum to capture, the sum captured, what went back of it, and what never came.
  total bigint check (total > 0 and total <= amount),
  captured bigint not null default 0 check (captured >= 0),
  refunded bigint not null default 0 check (refunded >= 0 and refunded <= captured),
  lost bigint not null default 0 check (lost >= 0),
  -- The signed request that opened a top-up: a repeat finds this row.
  request_key text unique,
  redirect_url text,
  -- What the bank's page and the fiscal check call it.
  description text not null,
  invoice_id text unique,
  page_url text,
  opened_at timestamptz,
  expires_at timestamptz,
  held_at timestamptz,
  -- The bank's last news: an older one is stale, an equal one is a repeat.
  bank_status text,
  bank_modified_at timestamptz,
  -- A capture or release that the bank accepted but has not done yet, and how often one failed.
  asked_at timestamptz,
  tries integer not null default 0,
  masked_pan text,
  rrn text,
  approval_code text,
  failure_reason text,
  error_code text,
  fiscal_number text,
  fiscal_url text,
  -- Staff forced the state by hand: the checker lists these apart.
  is_overridden boolean not null default false,
  created_at timestamptz not null,
  closed_at timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check ((purpose = 'operation') = (operation_id is not null)),
  check (method = 'bank' or purpose = 'operation')
);
create index payments_due on payments (next_action_at) where next_action_at is not null;
create index payments_by_user on payments (user_id, id desc);
-- Reconciliation looks at a few days' worth.
create index payments_closed on payments (closed_at) where closed_at is not null;

-- Money on its way back to a card. `ext_ref` lets us find it in the bank's list, so a crash never refunds twice.
create table refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  amount bigint not null check (amount > 0),
  ext_ref text not null unique,
  status text not null default 'asked' check (status in ('asked', 'processing', 'success', 'failure')),
  staff_id bigint references users (id),
  -- The balance transaction that is undone.
  reverses_id bigint,
  rrn text,
  error_code text,
  tries integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
create index refunds_due on refunds (next_action_at) where next_action_at is not null;
create index refunds_payment on refunds (payment_id, id);

-- Every exchange with the bank, without tokens and card data.
create table bank_exchanges (
  id bigint generated always as identity primary key,
  payment_id bigint,
  invoice_id text,
  call text not null,
  request jsonb,
  http_status integer,
  answer jsonb,
  -- Why there was no answer.
  failure text,
  took_ms integer not null,
  created_at timestamptz not null
);
create index bank_exchanges_payment on bank_exchanges (payment_id, id) where payment_id is not null;
create trigger bank_exchanges_are_append_only before update or delete or truncate on bank_exchanges
  for each statement execute function refuse_change();

-- What does not add up, once per matter, for staff to look at.
create table money_anomalies (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  payment_id bigint references payments (id),
  details jsonb not null default '{}',
  found_at timestamptz not null,
  resolved_at timestamptz,
  unique (kind, subject)
);
create index money_anomalies_open on money_anomalies (id desc) where resolved_at is null;
