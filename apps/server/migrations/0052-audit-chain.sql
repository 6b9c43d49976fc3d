-- The audit proves itself: each row is chained to the one before it by a hash, and values about a person stand in a
-- part of their own whose hash is chained, so that they can be erased with an account (docs/decisions/0052-audit-chain.md).

-- Who acted: a staff member, the operator's command line, or a job. A job on behalf of staff also has the staff member.
alter table audit add column actor text not null default 'staff' check (actor in ('staff', 'command line', 'job'));
create index audit_actor on audit (actor, id desc) where actor <> 'staff';

-- Text that somebody typed and values about a person. The salt keeps a short value (a phone number) from being found by
-- trying: without it the hash of an erased value would still tell it.
create table audit_personal (
  audit_id bigint primary key,
  -- Whose values these are; they are erased with this account. Null: of no account.
  user_id bigint,
  salt bytea,
  "values" jsonb,
  erased_at timestamptz,
  check ((erased_at is null) = (salt is not null)),
  check ((erased_at is null) = ("values" is not null))
);
create index audit_personal_user on audit_personal (user_id) where erased_at is null;

-- One row for each row of the audit, in the order of commits, without gaps.
create table audit_chain (
  seq bigint primary key,
  audit_id bigint not null,
  personal_hash bytea,
  hash bytea not null
);
create unique index audit_chain_of on audit_chain (audit_id);

-- The end of the chain. Its lock is what puts the rows into one order.
create table audit_head (
  is_single boolean primary key default true check (is_single),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, sha256(''));

-- What is chained of a row. platform/audit-chain.ts has the same expression, written apart.
create function audit_content(given audit) returns text language sql stable as $$
  select jsonb_build_array(given.id, given.actor, given.staff_id, given.action, given.subject_kind, given.subject_id,
    given.before, given.after, given.request_key, extract(epoch from given.created_at))::text
$$;

create function chain_audit() returns trigger
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

-- The rows that are there are chained as they are, with their typed text moved to the personal part. Text about an account
-- that is deleted is removed.
alter table audit disable trigger audit_is_append_only;
insert into audit_personal (audit_id, user_id, salt, "values")
  select a.id, case when a.subject_kind = 'user' then a.subject_id::bigint end,
    decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), a.after
  from audit a
  where a.action in ('user.send-sms', 'user.send-telegram', 'money.resolve') and a.after is not null
    and not (a.subject_kind = 'user' and exists (
      select from users u where u.id::text = a.subject_id and u.deleted_at is not null));
update audit set after = null
  where action in ('user.send-sms', 'user.send-telegram', 'money.resolve') and after is not null;
update audit set actor = 'job' where staff_id is null;
alter table audit enable trigger audit_is_append_only;
do $$
declare
  row audit;
  part bytea;
  link bytea := sha256('');
  place bigint := 0;
begin
  for row in select * from audit order by id loop
    select sha256(salt || convert_to("values"::text, 'UTF8')) into part from audit_personal where audit_id = row.id;
    link := sha256(link || sha256(convert_to(audit_content(row), 'UTF8')) || coalesce(part, ''));
    place := place + 1;
    insert into audit_chain (seq, audit_id, personal_hash, hash) values (place, row.id, part, link);
  end loop;
  update audit_head set seq = place, hash = link;
end $$;

-- At the end of the transaction, so that the lock on the head is held only while it commits, and is always the last lock.
create constraint trigger audit_is_chained after insert on audit
  deferrable initially deferred for each row execute function chain_audit();

create trigger audit_chain_is_append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();
create trigger audit_personal_stays before delete or truncate on audit_personal
  for each statement execute function refuse_change();

-- The personal part changes in one way: the values of an account that was deleted are erased.
create function refuse_personal_change() returns trigger language plpgsql as $$
begin
  if old.erased_at is null and new.erased_at is not null
      and new.audit_id = old.audit_id and new.user_id is not distinct from old.user_id
      and exists (select 1 from users u where u.deleted_at is not null and u.id = coalesce(
        (select g.joined_id from users g where g.id = old.user_id), old.user_id)) then
    return new;
  end if;
  raise exception 'audit_personal is append-only' using errcode = 'integrity_constraint_violation';
end $$;
create trigger audit_personal_is_append_only before update on audit_personal
  for each row execute function refuse_personal_change();

create function forget_audit(gone bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from users where id = gone and deleted_at is not null) then
    raise exception 'user % is not deleted, the audit stays', gone using errcode = 'integrity_constraint_violation';
  end if;
  update audit_personal set "values" = null, salt = null, erased_at = clock_timestamp()
    where erased_at is null and user_id in (select id from users where id = gone or joined_id = gone);
end $$;
