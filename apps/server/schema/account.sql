-- Functions of accounts.

-- A guest who never charged is forgotten with the wallet that never held anything.
create or replace function discard_user(gone bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  purse bigint;
begin
  if not exists (select 1 from users where id = gone and is_temporary) then
    raise exception 'user % is no guest and stays', gone using errcode = 'integrity_constraint_violation';
  end if;
  select id into purse from wallets where owner_id = gone;
  if exists (select 1 from transfers where from_account = purse and from_account >= 100
        and kind not in ('earned', 'operation_return', 'refunded', 'refund_refused'))
      or exists (select 1 from transfers where to_account = purse and to_account >= 100
        and kind not in ('operation_payment', 'refund')) then
    raise exception 'wallet % has a history and stays', purse using errcode = 'integrity_constraint_violation';
  end if;
  set constraints wallets_owner_id_fkey deferred;
  delete from user_log where user_id = gone;
  delete from users where id = gone;
  delete from wallets where id = purse;
  delete from accounts where id = purse;
end $$;

-- The product's role may not delete log lines (platform/migrate.ts). Two things may be forgotten, and only through the owner's
-- functions: the log of an account that was deleted, and a guest who never charged.
create or replace function forget_user_log(gone bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from users where id = gone and deleted_at is not null) then
    raise exception 'user % is not deleted, the log stays', gone using errcode = 'integrity_constraint_violation';
  end if;
  delete from user_log where user_id = gone;
end $$;

-- The deletion of an account locks the user's row for update, so this waits for it and then sees that the account is gone.
-- The argument names the column with the user's id.
create or replace function refuse_deleted_user() returns trigger
  language plpgsql as $$
declare
  named bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
begin
  perform 1 from users where id = named and deleted_at is null for key share;
  if not found and exists (select 1 from users where id = named) then
    raise exception 'user % is deleted', named
      using errcode = 'integrity_constraint_violation', constraint = 'user_not_deleted';
  end if;
  return new;
end $$;
