-- Energy that a device delivered and no bill contains, per station: after an ignored stop, past a limit, without a card.

create table unbilled_energy (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  operation_id bigint references operations (id),
  -- A charge that belongs to no operation; null for the energy of an operation's own charge.
  ocpp_transaction_id bigint references ocpp_transactions (id),
  -- Below zero when a late report of the device shows that less was delivered, or that the bill has more of it.
  energy_wh bigint not null,
  amount bigint not null,
  -- The transfer of this row; null when it is worth nothing.
  transfer_key text unique,
  booked_at timestamptz not null,
  check (operation_id is not null or ocpp_transaction_id is not null),
  check ((amount = 0) = (transfer_key is null))
);
create index unbilled_energy_station on unbilled_energy (station_id, booked_at);
create index unbilled_energy_operation on unbilled_energy (operation_id) where ocpp_transaction_id is null;
create index unbilled_energy_transaction on unbilled_energy (ocpp_transaction_id) where ocpp_transaction_id is not null;
create trigger unbilled_energy_is_append_only before update or delete or truncate on unbilled_energy
  for each statement execute function refuse_change();

-- What was booked before: energy after an ignored stop, and charges that began after the end of their operation.
insert into unbilled_energy (station_id, operation_id, ocpp_transaction_id, energy_wh, amount, transfer_key, booked_at)
  select o.station_id, o.id, case when c.operation_id is null then c.id end,
    case when o.price = 0 then 0 else round(t.amount * 1000.0 / o.price) end, t.amount, t.key, t.created_at
  from transfers t
    join operations o on o.id = t.operation_id
    join ocpp_transactions c on c.id = substring(t.key from '^transaction:(\d+):lost$')::bigint
  where t.kind = 'lost' and t.payment_id is null and t.key ~ '^transaction:\d+:lost$';

-- How far the clock of a device is ahead of ours, by its newest status. A time in the future is not stored, because it would
-- outrank every later one.
alter table connectors add column status_ahead_ms bigint;
