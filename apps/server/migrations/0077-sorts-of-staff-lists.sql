-- Lists of staff can be sorted as a whole, so each sort has an index.
-- Locks operations: PostgreSQL writes all rows again for the stored columns; the changelog says how long that takes.
-- Locks users: Two indexes are built, in about a second for a million users.

-- The readings of a charge change its total and its energy. An index on these two would cost each of them an entry in every
-- index of the table. These columns are null until the charge has ended, so that readings do not change them.
alter table operations
  add column settled_total bigint generated always as (case when closed_at is not null then total end) stored,
  add column settled_wh bigint generated always as (case when closed_at is not null then energy_wh end) stored;

-- With the columns of the filters in front, as in operations_filters: a combination that matches nothing costs one look.
create index operations_by_total on operations (status, hold_status, payment_type, settled_total desc, id desc)
  where closed_at is not null;
create index operations_by_energy on operations (status, hold_status, payment_type, settled_wh desc, id desc)
  where closed_at is not null;
create index operations_by_deposit on operations (status, hold_status, payment_type, deposit desc, id desc)
  where closed_at is not null;

create index users_by_last_login on users (is_temporary, (coalesce(last_login_at, '-infinity')) desc, id desc);
create index users_by_full_name on users (is_temporary, (lower(name) collate "uk-x-icu"), id);

create index feedback_by_best on feedback (rating desc, id desc);
