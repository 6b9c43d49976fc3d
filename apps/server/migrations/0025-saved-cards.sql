-- Saved cards: the bank's tokens, encrypted, with what a driver sees of them; and which payments save or use one.

create table saved_cards (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- The bank's token, encrypted with a key that is derived from SECRET. Null once the bank has deleted it.
  token bytea,
  -- A keyed hash of the token: the bank reports the same token more than once.
  token_hash bytea not null unique,
  masked_pan text not null check (length(masked_pan) between 4 and 40),
  system text check (system in ('visa', 'mastercard')),
  created_at timestamptz not null,
  used_at timestamptz,
  -- The card's bank declined it as expired; it is shown and cannot be chosen.
  expired_at timestamptz,
  -- Removed by its owner: it is not shown any more, and the bank is asked to delete the token.
  removed_at timestamptz,
  next_action_at timestamptz,
  due_claim integer not null default 0,
  due_failures integer not null default 0,
  check (token is not null or removed_at is not null)
);
create index saved_cards_of_user on saved_cards (user_id, id desc) where removed_at is null;
create unique index saved_cards_once on saved_cards (user_id, masked_pan) where removed_at is null;
create index saved_cards_due on saved_cards (next_action_at) where next_action_at is not null;

alter table payments
  -- The driver agreed that the bank saves the card of this payment.
  add column saves_card boolean not null default false,
  -- The saved card that pays, and when the bank was asked to charge it: it is asked once and never again.
  add column card_id bigint references saved_cards (id),
  add column card_asked_at timestamptz,
  add constraint payments_card_is_a_card check (method = 'bank' or (card_id is null and not saves_card));
create index payments_by_card on payments (card_id) where card_id is not null;
