-- An operation keeps when energy first flowed, when its connector had a fault, and the cause of a failed start as a code.

alter table operations
  add column first_energy_at timestamptz,
  add column faulted_at timestamptz,
  add column failure_cause text;
