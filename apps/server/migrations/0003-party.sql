-- Parties: groups with an owner that share stations and, when closed, keep their money among themselves.

create table parties (
  id bigint generated always as identity primary key,
  name text not null,
  owner_id bigint not null references users (id),
  is_closed boolean not null default false,
  created_at timestamptz not null
);

-- The owner is a member too. Nobody is in two parties: on which side of a closed one's border someone stands must be one answer.
create table party_members (
  user_id bigint primary key references users (id),
  party_id bigint not null references parties (id),
  joined_at timestamptz not null
);
create index party_members_party on party_members (party_id);
