-- What a change of a tariff can give in one charge, and the upper bound of a monthly allowance.
-- A tariff that falls several times within 24 hours is one fall. An allowance above the bound could never be paid.
alter table tariff_changes
  add column gives bigint not null default 0 check (gives >= 0);

update party_allowances set amount = 10000000 where amount > 10000000;
alter table party_allowances add constraint party_allowances_most check (amount <= 10000000);
