-- The database decides: one unpaid operation per user, nothing new for a deleted account, and whose log may be forgotten.

-- A race could leave a user with several unpaid operations. The newest is the one whose bank page is open; the others are withdrawn.
with surplus as (
  select id from (
    select id, row_number() over (partition by user_id order by id desc) as place
    from operations where status = 'created' and payment_type = 'bank') ranked
  where place > 1
), withdrawn as (
  update operations o set status = 'canceled', status_at = now(), closed_at = now(), next_action_at = null
  from surplus where o.id = surplus.id returning o.id
), released as (
  update payments p set wanted = 'release', total = null, tries = 0, asked_at = null, next_action_at = now(),
    due_claim = due_claim + 1
  from withdrawn
  where p.operation_id = withdrawn.id and p.status in ('pending', 'created', 'processing', 'hold')
    and p.wanted is distinct from 'release'
)
insert into operation_log (operation_id, actor, text, created_at)
  select id, 'system', 'created → canceled: one unpaid operation per user', now() from withdrawn;

-- Only a payment by card waits for its driver; a balance or a free charge leaves `created` in the step that opens it.
create unique index operations_one_unpaid_per_user on operations (user_id)
  where status = 'created' and payment_type = 'bank';

-- The deletion of an account locks the user's row for update, so this waits for it and then sees that the account is gone.
-- The argument names the column with the user's id.
create function refuse_deleted_user() returns trigger
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
create trigger operations_of_living_users before insert or update of user_id on operations
  for each row execute function refuse_deleted_user('user_id');
create trigger payments_of_living_users before insert or update of user_id on payments
  for each row execute function refuse_deleted_user('user_id');
create trigger parties_of_living_users before insert or update of owner_id on parties
  for each row execute function refuse_deleted_user('owner_id');
create trigger party_members_are_living_users before insert or update of user_id on party_members
  for each row execute function refuse_deleted_user('user_id');

-- The product's role may not delete log lines (platform/migrate.ts). Two things may be forgotten, and only through the owner's
-- functions: the log of an account that was deleted, and a guest who never charged.
create function forget_user_log(gone bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from users where id = gone and deleted_at is not null) then
    raise exception 'user % is not deleted, the log stays', gone using errcode = 'integrity_constraint_violation';
  end if;
  delete from user_log where user_id = gone;
end $$;

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
