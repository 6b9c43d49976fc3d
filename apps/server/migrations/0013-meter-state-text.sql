-- Written with every reading and read whole by the gateway alone: text spares the database to read it through each time.
alter table ocpp_transactions
  alter column meter_state drop default,
  alter column meter_state type text using meter_state::text,
  alter column meter_state set default '{}';
