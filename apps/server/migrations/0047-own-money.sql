-- What an account had and has no more: phone numbers and Telegram links. Nobody on the staff decides about money of an account that
-- shares one of them with theirs. And who made a promotion, because they get no reward from it.

create table former_contacts (
  user_id bigint not null references users (id),
  kind text not null check (kind in ('phone', 'telegram')),
  value text not null,
  primary key (user_id, kind, value)
);
-- What was changed until now stands in the log of the user.
insert into former_contacts (user_id, kind, value)
  select user_id, 'phone', (regexp_match(text, 'phone from (\+\d+) to \+\d+'))[1] from user_log where text ~ 'phone from \+\d+ to \+\d+'
  union select user_id, 'telegram', (regexp_match(text, '^linked Telegram (\d+)$'))[1] from user_log where text ~ '^linked Telegram \d+$';

create table promotion_authors (
  promotion_id bigint not null references promotions (id) on delete cascade,
  user_id bigint not null references users (id),
  primary key (promotion_id, user_id)
);
insert into promotion_authors (promotion_id, user_id)
  select distinct p.id, a.staff_id from audit a join promotions p on a.subject_kind = 'promotion' and a.subject_id = p.id::text
    where a.action in ('promotion.add', 'promotion.change') and a.staff_id is not null;

-- A guest's charges stay under the guest, who joined the account.
create index users_joined_to on users (joined_id) where joined_id is not null;
