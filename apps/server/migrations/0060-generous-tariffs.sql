-- What a change of a tariff can give in one charge. A tariff that falls several times within 24 hours is one fall. And a monthly
-- allowance has an upper bound; one above it could never be paid.
alter table tariff_changes
  add column gives bigint not null default 0 check (gives >= 0);

update party_allowances set amount = 10000000 where amount > 10000000;
alter table party_allowances add constraint party_allowances_most check (amount <= 10000000);
