-- The limit is guarded from the first second: when a charge was last metered, what is left with the device, and which devices refuse what.
alter table operations
  -- When the last reading arrived, by our clock; the start counts as one. The stop is planned from here.
  add column metered_at timestamptz,
  -- When the device cuts the power by itself, because the limit was left with it as a charging profile.
  add column device_cut_at timestamptz;

alter table charge_points
  -- How many TriggerMessages in a row got no answer since the last boot. After two it is not asked again.
  add column triggers_ignored smallint not null default 0,
  -- The firmware that refused a charging profile. Another firmware is tried again.
  add column profile_refused_by text;
