-- Invitations to parties, monthly allowances of members, and the indexes that a party's figures are read by.

create table party_invitations (
  id bigint generated always as identity primary key,
  party_id bigint not null references parties (id),
  -- By number and not by user: the answer to an invitation must not say whether the number has an account.
  phone_number text not null,
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index party_invitations_one_open on party_invitations (party_id, phone_number) where status = 'open';
create index party_invitations_phone on party_invitations (phone_number) where status = 'open';

-- A member who leaves, or whose account is deleted, has no allowance any more.
create table party_allowances (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references party_members (user_id) on delete cascade,
  amount bigint not null check (amount > 0),
  -- Every month has these days.
  day smallint not null check (day between 1 and 28),
  -- The owner's wallet was too small.
  stopped_at timestamptz,
  created_at timestamptz not null,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
create index party_allowances_due on party_allowances (next_action_at) where next_action_at is not null;

create index parties_owner on parties (owner_id);

-- Figures of a party read its members and its stations within a period, and nothing outside of the period. Neither index
-- has a column that a running charge changes, so meter readings stay cheap.
create index operations_by_user_and_time on operations (user_id, created_at);
create index operations_by_station_and_time on operations (station_id, created_at);

-- An allowance is not a gift of the owner's own hand: it does not count towards the daily limit of gifts. The rows that exist
-- passed the narrower check, so they are not read again.
alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check check (kind in ('operation_payment', 'operation_return', 'earned',
  'gift', 'deposit', 'admin', 'promo', 'reversal', 'capture', 'refund', 'refunded', 'refund_refused', 'lost', 'chargeback', 'fee',
  'correction', 'party_return', 'allowance')) not valid;
