-- What proves that someone is who they say: codes sent to a phone, second factors, tokens that restore a session; and the bot's memory.

-- One living code per session, phone and purpose, and the proof it becomes. Nobody can burn or use a code of another session.
create table phone_proofs (
  id bigint generated always as identity primary key,
  session_id bigint not null references sessions (id) on delete cascade,
  phone_number text not null,
  purpose text not null check (purpose in ('sign_up', 'restoration', 'new_phone', 'second_factor')),
  -- Keyed with the server's secret: six digits alone would be guessed from any plain hash. Null once it was entered.
  code_hash bytea,
  entries smallint not null default 0,
  code_expires_at timestamptz not null,
  proven_until timestamptz,
  unique (session_id, phone_number, purpose)
);
create index phone_proofs_age on phone_proofs (code_expires_at);

-- False for staff who gave the password and still owe the code: until then they have a driver's rights.
alter table sessions add column is_staff_confirmed boolean not null default true;

create table trusted_devices (
  -- SHA-256 of the device's cookie.
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index trusted_devices_user on trusted_devices (user_id);

-- Bank apps often come back in another browser: the address they return to carries a token that restores a guest's session once.
create table return_tokens (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index return_tokens_user on return_tokens (user_id);

-- A guest who signed in to an account: what was theirs belongs to it, what still arrives follows.
alter table users add column joined_id bigint references users (id);
create index users_joined on users (id) where joined_id is not null;
create index users_temporary on users (created_at) where is_temporary;

-- Links to the bot that were used: each works once. Forgotten when they would have expired anyway.
create table telegram_links_used (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
-- A driver who blocked the bot is not written to until they come back.
alter table users add column is_bot_blocked boolean not null default false;

-- What a driver was told about an operation, so that each thing is told once.
create table notices (
  operation_id bigint not null references operations (id),
  kind text not null,
  created_at timestamptz not null,
  primary key (operation_id, kind)
);

-- Which node does what only one may do, such as asking Telegram for updates. A dead node's lease runs out.
create table leases (
  name text primary key,
  holder text not null,
  until timestamptz not null
);
-- Whoever was told that a charge began is also told how it ended, even when the node that would have said so died.
create index notices_started on notices (created_at) where kind = 'started';
