-- How a meter is read is written with every reading and read by the gateway alone, whole: as json that costs a third less than as jsonb.
alter table ocpp_transactions
  alter column meter_state drop default,
  alter column meter_state type json using meter_state::json,
  alter column meter_state set default '{}';
