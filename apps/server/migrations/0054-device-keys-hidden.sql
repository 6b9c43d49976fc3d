-- Passwords that charge points listed are removed from what is stored, and staff see which keys were readable.

alter table charge_points add column key_exposed_at timestamptz;
create index charge_points_key_exposed on charge_points (id) where key_exposed_at is not null;

-- The names are those of `namesPassword` in the contract.
create function pg_temp.names_password(name text) returns boolean language sql immutable as $$
  select regexp_replace(lower(name), '[^a-z0-9]', '', 'g') ~
    'authorizationkey|authkey|passw(or)?d|passphrase|passcode|pwd|secret|credential|presharedkey|psk$|apikey|privatekey|accesskey|wifikey|wpakey'
$$;
create function pg_temp.hidden(name text, value text) returns text language sql immutable as $$
  select case when coalesce(value, '') = '' then value when pg_temp.names_password(name) then '***'
    else regexp_replace(value, '://[^/@[:space:]"]*@', '://***@', 'g') end
$$;

-- The configuration that was read after a boot.
update charge_points p set
  key_exposed_at = case when exists (
    select from jsonb_each_text(coalesce(p.configuration -> 'values', '{}')) as v
    where coalesce(v.value, '') not in ('', '***') and pg_temp.hidden(v.key, v.value) <> v.value)
    then coalesce(p.booted_at, now()) end,
  configuration = p.configuration || jsonb_build_object('values', (
    select coalesce(jsonb_object_agg(v.key, pg_temp.hidden(v.key, v.value)), '{}')
    from jsonb_each_text(p.configuration -> 'values') as v))
where jsonb_typeof(p.configuration -> 'values') = 'object';

-- Answers to staff who read the configuration.
with exposed as (
  select c.charge_point_id, min(coalesce(c.answered_at, c.created_at)) as at from commands c
  where c.action = 'GetConfiguration' and jsonb_typeof(c.answer -> 'configurationKey') = 'array'
    and exists (select from jsonb_array_elements(c.answer -> 'configurationKey') as item
      where coalesce(item ->> 'value', '') not in ('', '***')
        and pg_temp.hidden(item ->> 'key', item ->> 'value') <> item ->> 'value')
  group by 1)
update charge_points p set key_exposed_at = least(p.key_exposed_at, e.at) from exposed e where e.charge_point_id = p.id;

update commands c set answer = c.answer || jsonb_build_object('configurationKey', (
    select coalesce(jsonb_agg(case when item ? 'value'
      then item || jsonb_build_object('value', pg_temp.hidden(item ->> 'key', item ->> 'value')) else item end), '[]')
    from jsonb_array_elements(c.answer -> 'configurationKey') as item))
where c.action = 'GetConfiguration' and jsonb_typeof(c.answer -> 'configurationKey') = 'array';

-- Passwords that staff set under a vendor's name.
update charge_points p set key_exposed_at = least(p.key_exposed_at, c.at)
from (select charge_point_id, min(created_at) as at from commands
  where action = 'ChangeConfiguration' and pg_temp.hidden(payload ->> 'key', payload ->> 'value') <> payload ->> 'value'
  group by 1) c
where c.charge_point_id = p.id;

update commands set payload = payload || jsonb_build_object('value', pg_temp.hidden(payload ->> 'key', payload ->> 'value'))
where action = 'ChangeConfiguration' and payload ? 'value'
  and pg_temp.hidden(payload ->> 'key', payload ->> 'value') is distinct from payload ->> 'value';

-- The log of messages had no AuthorizationKey, but what vendors call theirs. Its pages expire after some days, and a
-- block of frames cannot be changed in place.
delete from message_pages where
  coalesce(lines, encode(frames, 'escape')) ~* '"key" *: *"[^"]*(auth_?key|passw(or)?d|passphrase|passcode|pwd|secret|credential|pre_?shared_?key|psk"|api_?key|private_?key|access_?key|wifi_?key|wpa_?key)';
