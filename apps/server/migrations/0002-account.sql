-- Users and guests, their cars, their sign-ins and the log of what happened to them.

create table users (
  id bigint generated always as identity primary key,
  name text not null,
  -- Guests have TMP and ten digits here, so that one column names everyone.
  phone_number text not null unique,
  password_hash text,
  icon smallint not null default 4 check (icon between 1 and 6),
  role text not null default 'User',
  is_temporary boolean not null default false,
  language text not null default 'uk' check (language in ('uk', 'en', 'pl')),
  active_car_id bigint,
  telegram_id bigint unique,
  terms_version text,
  last_login_at timestamptz,
  -- An account that its owner deleted: kept without name and phone, because operations and money point to it.
  deleted_at timestamptz,
  created_at timestamptz not null
);
-- Staff look through users newest first, with or without guests.
create index users_registered on users (id desc) where not is_temporary;

create table cars (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  name text not null,
  battery numeric(5, 1),
  manufacturer text,
  model text,
  plate text,
  vin text,
  -- A car with history is hidden, not erased, so that history keeps its name.
  deleted_at timestamptz,
  created_at timestamptz not null
);
create index cars_user on cars (user_id);
alter table users add foreign key (active_car_id) references cars (id);

create table sessions (
  id bigint generated always as identity primary key,
  -- SHA-256 of the cookie: a stolen table signs nobody in.
  token_hash bytea not null unique,
  csrf_token text not null,
  user_id bigint references users (id),
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id) where user_id is not null;
create index sessions_expires_at on sessions (expires_at);

create table user_log (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  actor text not null,
  text text not null,
  created_at timestamptz not null
);
create index user_log_user on user_log (user_id, id desc);
