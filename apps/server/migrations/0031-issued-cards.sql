-- Staff issue RFID cards before they belong to a driver, and block lost ones.

alter table rfid_cards
  -- Null: issued, and not bound to a driver yet.
  alter column user_id drop not null,
  -- A blocked card starts nothing and cannot be bound.
  add column blocked_at timestamptz;
