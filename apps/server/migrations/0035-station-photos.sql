-- Photos of stations. They are stored with the rest, so that every node serves them and one backup contains all.

create table station_photos (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  -- The public name in the address. The content of a name never changes, so it may be cached for ever.
  key text not null unique,
  -- Drivers see the lowest first.
  position integer not null,
  -- Of the large picture, in pixels, so that a page reserves its place.
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- WebP as the server encoded it, never the bytes that were sent.
  large bytea not null check (octet_length(large) <= 1500000),
  small bytea not null check (octet_length(small) <= 200000),
  -- Of the bytes that were sent, so that a repeated upload adds nothing.
  source_hash bytea not null,
  created_at timestamptz not null,
  unique (station_id, source_hash)
);
create index station_photos_station on station_photos (station_id, position, id);
-- The pictures are compressed already.
alter table station_photos alter column large set storage external, alter column small set storage external;
