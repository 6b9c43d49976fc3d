-- Work that shall be done when a charge point is connected. At each connect it is decided from the present state, and makes
-- a new command or none.

create table device_wishes (
  id bigint generated always as identity primary key,
  charge_point_id bigint not null references charge_points (id),
  kind text not null,
  -- The row that it is about; which table, the kind says.
  subject bigint not null,
  created_at timestamptz not null,
  -- Dropped after this time; null: wanted until it is done.
  wanted_until timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  unique (kind, subject, charge_point_id)
);
create index device_wishes_charge_point on device_wishes (charge_point_id);
create index device_wishes_due on device_wishes (next_action_at) where next_action_at is not null;
create index device_wishes_over on device_wishes (wanted_until) where wanted_until is not null;
