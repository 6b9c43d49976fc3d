-- Cases: what drivers report, rate badly or say in a call, and anomalies about them, each with its conversation, notes and events.

create table cases (
  id bigint generated always as identity primary key,
  source text not null check (source in ('report', 'rating', 'anomaly', 'call')),
  state text not null default 'open' check (state in ('open', 'waiting', 'snoozed', 'closed')),
  -- Null: a rating without a comment, an anomaly, or the account was deleted.
  subject text check (length(subject) <= 120),
  rating smallint check (rating between 1 and 5),
  -- The kind of the anomaly.
  anomaly text,
  user_id bigint not null references users (id),
  operation_id bigint references operations (id),
  station_id bigint references stations (id),
  -- The staff member who answers it.
  owner_id bigint references users (id),
  snoozed_until timestamptz,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  -- The driver has written since then and has no answer.
  waiting_since timestamptz,
  first_answer_at timestamptz,
  closed_at timestamptz,
  -- The last message that the driver can see; null while the driver sees nothing of the case.
  shown_at timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check ((state = 'snoozed') = (snoozed_until is not null)),
  check ((state = 'closed') = (closed_at is not null))
);
-- A second report about a charge joins the first one.
create unique index cases_one_open on cases (operation_id, source) where state <> 'closed' and operation_id is not null;
create index cases_changed on cases (changed_at, id);
create index cases_state on cases (state, changed_at, id);
create index cases_owner on cases (owner_id, changed_at, id) where owner_id is not null;
create index cases_new on cases (changed_at, id) where state = 'open' and owner_id is null;
create index cases_unanswered on cases (waiting_since) where waiting_since is not null;
create index cases_user on cases (user_id, id);
create index cases_shown on cases (user_id, shown_at) where shown_at is not null;
create index cases_operation on cases (operation_id) where operation_id is not null;
create index cases_station on cases (station_id, id) where station_id is not null;
create index cases_first_answers on cases (first_answer_at) where first_answer_at is not null;
create index cases_due on cases (next_action_at) where next_action_at is not null;

create table case_entries (
  id bigint generated always as identity primary key,
  case_id bigint not null references cases (id) on delete cascade,
  kind text not null check (kind in ('from_driver', 'to_driver', 'note', 'event')),
  -- Null: the driver, or the product itself.
  staff_id bigint references users (id),
  -- Null: a rating without a comment, or an event.
  text text check (length(text) <= 2000),
  event text check (event in ('opened', 'joined', 'assigned', 'snoozed', 'woke', 'closed', 'reopened')),
  assignee_id bigint references users (id),
  -- What each channel has reported; null where the message did not go by it.
  push_state text check (push_state in ('queued', 'sent', 'failed')),
  telegram_state text check (telegram_state in ('queued', 'sent', 'failed')),
  sms_state text check (sms_state in ('queued', 'accepted', 'failed', 'unknown')),
  read_at timestamptz,
  created_at timestamptz not null,
  check ((kind = 'event') = (event is not null))
);
create index case_entries_case on case_entries (case_id, id);
create index case_entries_staff on case_entries (staff_id) where staff_id is not null;
create index case_entries_assignee on case_entries (assignee_id) where assignee_id is not null;
