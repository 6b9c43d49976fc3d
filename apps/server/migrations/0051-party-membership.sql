-- From when to when a user was in a party, the confirmation that a reset password needs, and how often invitations are sent.

-- The owner sees charges within these times only, so they outlive the membership.
create table party_stays (
  id bigint generated always as identity primary key,
  party_id bigint not null references parties (id),
  user_id bigint not null references users (id),
  joined_at timestamptz not null,
  left_at timestamptz
);
create unique index party_stays_present on party_stays (user_id) where left_at is null;
create index party_stays_party on party_stays (party_id, user_id);
create index party_stays_user on party_stays (user_id);
insert into party_stays (party_id, user_id, joined_at) select party_id, user_id, joined_at from party_members;

create function begin_party_stay() returns trigger language plpgsql as $$
begin
  insert into party_stays (party_id, user_id, joined_at) values (new.party_id, new.user_id, new.joined_at);
  return null;
end $$;
create trigger party_members_begin_stays after insert on party_members
  for each row execute function begin_party_stay();

-- The owner of a party knows the password since this moment; null when the user has set a password since.
alter table users add column password_reset_at timestamptz;
-- The user has entered a code to their own phone in this session.
alter table sessions add column is_password_confirmed boolean not null default false;

alter table phone_proofs drop constraint phone_proofs_purpose_check;
alter table phone_proofs add constraint phone_proofs_purpose_check
  check (purpose in ('sign_up', 'restoration', 'new_phone', 'sign_in', 'second_factor', 'password_reset'));
