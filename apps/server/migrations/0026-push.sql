-- Web push: the server's key pair, the browsers that get notifications, and the channels that a user has chosen.

create table push_keys (
  id integer primary key default 1 check (id = 1),
  public_key text not null,
  -- Encrypted with a key that is derived from SECRET.
  private_key bytea not null,
  created_at timestamptz not null
);

create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- A subscription ends with its session: by sign-out, by a new password, or by a ban.
  session_id bigint not null references sessions (id) on delete cascade,
  endpoint_hash bytea not null unique,
  -- The address at the push service with the keys of the browser, encrypted: with them anyone could send.
  subscription bytea not null,
  created_at timestamptz not null,
  seen_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id);
create index push_subscriptions_session on push_subscriptions (session_id);

create table notice_channels (
  user_id bigint primary key references users (id),
  by_push boolean not null default true,
  by_telegram boolean not null default true,
  -- Only when neither of the others can reach the user.
  by_sms boolean not null default false
);
