-- What a device may still have been allowed a moment before its present share, so that a reading above it shows that the device ignores it.

alter table operations
  -- The highest power that was in force within five seconds before the device accepted its present one; null for its rated power.
  add column share_before_w integer;
