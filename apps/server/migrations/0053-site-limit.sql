-- Whether a device is seen to lower its power, since when a site is above its limit, and drivers who wait for a site that is full.

alter table sites
  -- Drivers may wait for their turn, before they pay.
  add column has_queue boolean not null default false,
  -- Since when the running charges take more than the limit; null while they do not.
  add column over_since timestamptz;

-- What was seen of a device at a site. Without a row it has not been seen to lower its power yet.
create table site_devices (
  charge_point_id bigint primary key references charge_points (id),
  obeys boolean not null,
  -- When this was seen first.
  since timestamptz not null,
  -- The firmware that was seen; another one has to be seen again.
  configured_for text not null,
  -- What the device took and what it had accepted, when it did not obey.
  taken_w integer,
  allowed_w integer
);

alter table operations
  -- The power that was measured when a lower share was asked; null when the share was not lower.
  add column share_from_w integer;

alter table free_alerts
  -- Set when the driver does not wait for a free connector, but for power at this site.
  add column site_id bigint references sites (id);
create index free_alerts_site on free_alerts (site_id, id) where ended_at is null;
create index operations_site_stops on operations (station_id, stop_requested_at) where stop_cause = 'site_limit';
