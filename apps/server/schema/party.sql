-- Functions of parties.

create or replace function begin_party_stay() returns trigger language plpgsql as $$
begin
  insert into party_stays (party_id, user_id, joined_at) values (new.party_id, new.user_id, new.joined_at);
  return null;
end $$;
