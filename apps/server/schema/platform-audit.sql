-- Functions of the audit and its chain.

-- What is chained of a row. platform/audit-chain.ts has the same expression, written apart.
create or replace function audit_content(given audit) returns text language sql stable as $$
  select jsonb_build_array(given.id, given.actor, given.staff_id, given.action, given.subject_kind, given.subject_id,
    given.before, given.after, given.request_key, extract(epoch from given.created_at))::text
$$;

create or replace function chain_audit() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
  part bytea;
  link bytea;
begin
  select * into strict head from audit_head for update;
  select sha256(salt || convert_to("values"::text, 'UTF8')) into part from audit_personal where audit_id = new.id;
  link := sha256(head.hash || sha256(convert_to(audit_content(new), 'UTF8')) || coalesce(part, ''));
  insert into audit_chain (seq, audit_id, personal_hash, hash) values (head.seq + 1, new.id, part, link);
  update audit_head set seq = head.seq + 1, hash = link;
  return null;
end $$;

-- The personal part changes in one way: the values of an account that was deleted are erased.
create or replace function refuse_personal_change() returns trigger language plpgsql as $$
begin
  if old.erased_at is null and new.erased_at is not null
      and new.audit_id = old.audit_id and new.user_id is not distinct from old.user_id
      and exists (select 1 from users u where u.deleted_at is not null and u.id = coalesce(
        (select g.joined_id from users g where g.id = old.user_id), old.user_id)) then
    return new;
  end if;
  raise exception 'audit_personal is append-only' using errcode = 'integrity_constraint_violation';
end $$;

create or replace function forget_audit(gone bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from users where id = gone and deleted_at is not null) then
    raise exception 'user % is not deleted, the audit stays', gone using errcode = 'integrity_constraint_violation';
  end if;
  update audit_personal set "values" = null, salt = null, erased_at = clock_timestamp()
    where erased_at is null and user_id in (select id from users where id = gone or joined_id = gone);
end $$;
