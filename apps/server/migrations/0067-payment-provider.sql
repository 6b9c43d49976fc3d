-- The bank of each payment, because holds of a former bank are captured there after another one was chosen.

alter table payments add column provider text not null default 'monobank';
