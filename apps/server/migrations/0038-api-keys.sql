-- Keys with which programs of an operator call the API.

create table api_keys (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 80),
  -- What staff see of the key; the rest is shown once and not stored.
  prefix text not null,
  -- SHA-256. A key has 256 random bits, so a slow hash would add nothing.
  key_hash bytea not null unique,
  scopes text[] not null check (cardinality(scopes) > 0),
  calls_per_minute integer not null check (calls_per_minute between 1 and 6000),
  -- The key works only while this user may manage integrations.
  staff_id bigint not null references users (id),
  created_at timestamptz not null,
  -- Null: until it is revoked.
  expires_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_staff on api_keys (staff_id);
