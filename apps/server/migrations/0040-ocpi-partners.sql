-- Partners that read our stations over OCPI.

create table ocpi_partners (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 80),
  -- The party that was agreed on beforehand; a partner cannot claim another one.
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  party_id text not null check (party_id ~ '^[A-Z0-9]{3}$'),
  -- invited: the token is only for the registration. fixed: the token is for everything and there is no registration.
  status text not null check (status in ('invited', 'registered', 'fixed', 'ended')),
  -- SHA-256 of the token that the partner sends to us. Null once it has ended.
  token_hash bytea unique,
  -- The token before the last change works a little longer, because an answer with the new one may be lost.
  previous_hash bytea unique,
  previous_until timestamptz,
  -- What we send to the partner, encrypted with a key that is derived from SECRET.
  their_token bytea,
  versions_url text,
  endpoints jsonb,
  staff_id bigint not null references users (id),
  created_at timestamptz not null,
  registered_at timestamptz,
  last_used_at timestamptz,
  check ((status = 'ended') = (token_hash is null)),
  check ((previous_hash is null) = (previous_until is null))
);
create unique index ocpi_partners_party on ocpi_partners (country_code, party_id) where status <> 'ended';
create index ocpi_partners_staff on ocpi_partners (staff_id);
