-- Stops that a charger ignores, charges that it reports again after a reboot, and starts that are counted from their first sending.

alter table operations
  -- The driver pays for energy that flowed until then: 30 s after the stop was requested. Null: no such bound.
  add column billed_until timestamptz,
  -- The first reading after `billed_until`: the energy at the bound lies between the reading before it and this one.
  add column first_unbilled_wh bigint,
  add column first_unbilled_at timestamptz,
  -- Since when the charger has ignored the stop. Null: it has not, or no stop was requested.
  add column stop_ignored_at timestamptz,
  -- When the first RemoteStart that may have reached the charger was sent.
  add column start_sent_at timestamptz;

-- The same charge, reported again under a new id; this row's energy is part of that one's count.
alter table ocpp_transactions add column continued_by integer references ocpp_transactions (id);

alter table terminations drop constraint terminations_type_check;
alter table terminations add constraint terminations_type_check
  check (type in ('over_limit', 'silent', 'stuck', 'idle', 'away', 'hold_ending', 'forgotten', 'stop_ignored'));
