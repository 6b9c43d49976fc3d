-- What waits for a second staff member is one table for every kind of action, not only for sums that are given or taken.
create table staff_approvals (
  id bigint generated always as identity primary key,
  -- The features declare their kinds (apps/server/src/seams.ts).
  kind text not null,
  -- What the action is about, as in the audit.
  subject_kind text not null,
  subject_id bigint not null,
  -- What the action is worth, in kopecks.
  worth bigint not null check (worth >= 0),
  -- Whose money it is; null when it is nobody's in particular.
  recipient_id bigint references users (id),
  -- What the kind needs to carry the action out.
  payload jsonb not null default '{}',
  requested_by bigint not null references users (id),
  -- The signed request that asked: its repeat finds this row.
  request_key text not null unique,
  created_at timestamptz not null,
  outcome text check (outcome in ('approved', 'declined', 'ended')),
  -- Null beside an outcome: the command line.
  decided_by bigint references users (id),
  decided_at timestamptz,
  -- The refusal that the action met when it was carried out.
  ended_because text,
  check ((decided_at is null) = (outcome is null)),
  check (decided_by is null or outcome is not null),
  check ((ended_because is not null) = (outcome is not distinct from 'ended'))
);
create index staff_approvals_open on staff_approvals (id) where outcome is null;
create index staff_approvals_recipient on staff_approvals (recipient_id) where outcome is null;

insert into staff_approvals (id, kind, subject_kind, subject_id, worth, recipient_id, requested_by, request_key, created_at,
  outcome, decided_by, decided_at)
overriding system value
select id, action, 'user', user_id, amount, user_id, requested_by, request_key, created_at,
  case is_approved when true then 'approved' when false then 'declined' end, decided_by, decided_at
from balance_approvals;
select setval(pg_get_serial_sequence('staff_approvals', 'id'), (select coalesce(max(id), 0) + 1 from staff_approvals), false);
drop table balance_approvals;

-- A request is decided as it was made, and a decision is final. An open request follows the money of a guest who joins an account.
create function staff_approval_is_kept() returns trigger language plpgsql as $$
begin
  if old.outcome is not null then
    raise exception 'approval % is decided', old.id using errcode = 'integrity_constraint_violation';
  end if;
  if (new.id, new.kind, new.worth, new.payload, new.requested_by, new.request_key, new.created_at)
    is distinct from (old.id, old.kind, old.worth, old.payload, old.requested_by, old.request_key, old.created_at) then
    raise exception 'approval % cannot be changed', old.id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger staff_approvals_are_kept before update on staff_approvals
  for each row execute function staff_approval_is_kept();
