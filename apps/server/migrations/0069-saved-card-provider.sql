-- The bank of each saved card, because a token means nothing to another bank.

alter table saved_cards add column provider text not null default 'monobank';
