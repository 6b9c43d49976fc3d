-- Why staff returned money, as they said it: the driver reads it. Null: it was not said, or the product returned the money by itself.

alter table refunds add column reason text check (length(reason) <= 500);
