-- Functions of the platform.

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

-- A request is decided as it was made, and a decision is final. An open request follows the money of a guest who joins an account.
create or replace function staff_approval_is_kept() returns trigger language plpgsql as $$
begin
  -- Only what staff wrote about a person goes, with the account.
  if new.reason is null and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  if old.outcome is not null then
    raise exception 'approval % is decided', old.id using errcode = 'integrity_constraint_violation';
  end if;
  if (new.id, new.kind, new.worth, new.payload, new.reason, new.requested_by, new.request_key, new.created_at)
    is distinct from (old.id, old.kind, old.worth, old.payload, old.reason, old.requested_by, old.request_key, old.created_at) then
    raise exception 'approval % cannot be changed', old.id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
