-- What a promotion has paid on each day in Kyiv. The budget per day that its author states is held here, whatever the server decides.
-- Null: the promotion has none.
create table promotion_days (
  promotion_id bigint not null references promotions (id) on delete cascade,
  day date not null,
  paid bigint not null check (paid > 0),
  budget bigint,
  check (paid <= budget),
  primary key (promotion_id, day)
);

-- Today's rewards until now count.
insert into promotion_days (promotion_id, day, paid)
  select p.id, (now() at time zone 'Europe/Kyiv')::date, sum(m.amount)
  from staff_money_out m join promotions p on p.id = m.subject_id
  where m.way = 'reward' and (m.created_at at time zone 'Europe/Kyiv')::date = (now() at time zone 'Europe/Kyiv')::date
  group by p.id;

-- The sum that a promotion would have given for this charge if the budget of the day had not been used up; the driver sees it.
alter table operations add column missed_reward bigint check (missed_reward > 0);
