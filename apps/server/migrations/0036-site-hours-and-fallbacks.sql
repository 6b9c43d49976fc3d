-- Another limit of a site at some hours, and the limit that a charger keeps by itself while the server is away.

alter table sites
  -- HH:mm in Kyiv time; an end before the beginning is on the next day. All three, or none.
  add column hours_from text,
  add column hours_to text,
  add column hours_limit_w integer check (hours_limit_w > reserve_w),
  add check (num_nulls(hours_from, hours_to, hours_limit_w) in (0, 3));

-- The standing profile of a connector (TxDefaultProfile), as it was asked of the device last.
create table site_fallbacks (
  connector_id bigint primary key references connectors (id),
  site_id bigint not null references sites (id),
  limit_w integer not null check (limit_w >= 0),
  -- Its outcome is in `commands`.
  command_id bigint not null,
  asked_at timestamptz not null,
  -- Of the device; kept here, because commands are deleted after some time.
  is_accepted boolean
);
create index site_fallbacks_site on site_fallbacks (site_id);
