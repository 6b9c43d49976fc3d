-- Money that staff gave away, whatever the way: the limit for a second staff member counts the last 24 hours of it. What a second
-- one approved does not count. Rewards of promotions have no staff member and count for their recipients.
create table staff_money_out (
  id bigint generated always as identity primary key,
  staff_id bigint references users (id),
  user_id bigint not null references users (id),
  -- The wallet that the user paid from at that moment: users who share one are one recipient.
  wallet_id bigint not null references wallets (id),
  way text not null check (way in ('gift', 'reversal', 'refund', 'capture', 'hold', 'energy', 'end', 'reward')),
  amount bigint not null check (amount > 0),
  subject_kind text not null,
  subject_id bigint not null,
  approval_id bigint references staff_approvals (id),
  -- A reward that passed the limit of its recipient: it was promised and is paid, and staff see it.
  is_above_limit boolean not null default false,
  created_at timestamptz not null,
  check ((way = 'reward') = (staff_id is null and approval_id is null))
);
create index staff_money_out_staff on staff_money_out (staff_id, created_at) where approval_id is null;
create index staff_money_out_user on staff_money_out (user_id, created_at) where approval_id is null;
create index staff_money_out_wallet on staff_money_out (wallet_id, created_at) where approval_id is null;
create index staff_money_out_rewards on staff_money_out (subject_id, created_at) where way = 'reward';
create index staff_money_out_above on staff_money_out (id) where is_above_limit;

-- A promotion waits for a second staff member when it can give more than the limit in one charge or has no budget. Rewards that
-- run at the time of this migration go on.
alter table promotions
  add column budget_per_day bigint check (budget_per_day > 0),
  add column revision integer not null default 1,
  add column is_waiting boolean not null default false;

-- So does a change that makes a paid tariff free or gives more than the limit in one charge.
alter table tariffs
  -- A new tariff that waits: no connector gets it yet.
  add column is_waiting boolean not null default false;
alter table tariff_changes drop constraint tariff_changes_status_check,
  add constraint tariff_changes_status_check check (status in ('waiting', 'planned', 'applied', 'withdrawn'));
