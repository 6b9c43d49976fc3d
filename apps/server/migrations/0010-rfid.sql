-- RFID cards of drivers, and requests to bind the next unknown card that is shown at a station.

create table rfid_cards (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- Upper case, without separators: readers differ in how they write it.
  id_tag text not null unique,
  -- Kopecks a charge with this card may set aside at most; null: only the network's own limit.
  deposit_limit bigint check (deposit_limit > 0),
  created_at timestamptz not null
);
create index rfid_cards_user on rfid_cards (user_id);

create table rfid_requests (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  station_id bigint not null references stations (id),
  status text not null default 'open' check (status in ('open', 'success', 'fail', 'expired')),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0
);
-- Two drivers waiting at one reader could not be told apart.
create unique index rfid_requests_one_open_per_station on rfid_requests (station_id) where status = 'open';
create index rfid_requests_user on rfid_requests (user_id, id desc);
create index rfid_requests_due on rfid_requests (next_action_at) where next_action_at is not null;
