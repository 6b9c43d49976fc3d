-- The staff's figures have what went back to drivers and what promotions gave; hours with charges are counted again.

alter table stats_hours
  add column refunded numeric not null default 0,
  add column rewards numeric not null default 0;

insert into stats_changes (hour) select distinct hour from stats_hours where successful > 0;

-- Locks transfers: The index is partial, and few transfers are made by staff.
create index transfers_by_staff on transfers (created_at) where from_account = 4 or to_account = 4;
-- Schema: cd14bf457f4806d77efd33124446bf30a9f935f45ac7ef6cb727bbce55fdb7a4
