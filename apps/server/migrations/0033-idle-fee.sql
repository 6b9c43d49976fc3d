-- The idle fee: a price per minute after a grace time, for a car that is full or a cable that stays plugged in after the end.

-- {fee, grace_minutes}: kopecks per minute, and the first minutes that cost nothing. Null: no fee.
alter table tariffs add column idle jsonb;
alter table tariff_changes add column idle jsonb;

alter table operations
  -- Kopecks per minute and the grace time, fixed when the operation is opened. 0: no fee.
  add column idle_fee integer not null default 0 check (idle_fee >= 0),
  add column idle_grace_minutes integer not null default 0 check (idle_grace_minutes >= 0),
  -- The idle time that was observed, and what of it is part of `total`.
  add column idle_seconds integer not null default 0 check (idle_seconds >= 0),
  add column idle_total bigint not null default 0 check (idle_total >= 0),
  -- StopTransaction arrived and the settlement waits until the cable is out. Null: it does not wait.
  add column charge_ended_at timestamptz;

-- When the idle time was observed: the device was connected and reported the same status from `began_at` to `seen_at`.
create table idle_intervals (
  id bigint generated always as identity primary key,
  operation_id bigint not null references operations (id),
  -- full: the car takes nothing (SuspendedEV); plugged_in: the charge has ended and the cable is still in (Finishing).
  cause text not null check (cause in ('full', 'plugged_in')),
  began_at timestamptz not null,
  seen_at timestamptz not null,
  -- The present one, which grows. At most one of an operation.
  is_open boolean not null default true,
  check (seen_at >= began_at)
);
create index idle_intervals_operation on idle_intervals (operation_id, id);
create unique index idle_intervals_one_open on idle_intervals (operation_id) where is_open;

-- Operations whose idle time is being observed. The id is that of the operation.
create table idle_watches (
  id bigint primary key references operations (id),
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
create index idle_watches_due on idle_watches (next_action_at) where next_action_at is not null;
