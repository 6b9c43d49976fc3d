-- Visitors have signed cookies instead of session rows, sign-ins can ask for a code, and a staff password that was restored by SMS is marked.

-- Codes live five minutes, so dropping those that wait costs at most one more SMS each.
delete from phone_proofs;
alter table phone_proofs drop column session_id;
-- The session that asked: `session:<id>` of a signed-in user, `visitor:<id>` of a signed cookie.
alter table phone_proofs add column owner text not null;
alter table phone_proofs add constraint phone_proofs_claim unique (owner, phone_number, purpose);
alter table phone_proofs drop constraint phone_proofs_purpose_check;
alter table phone_proofs add constraint phone_proofs_purpose_check
  check (purpose in ('sign_up', 'restoration', 'new_phone', 'sign_in', 'second_factor'));

delete from sessions where user_id is null;
alter table sessions alter column user_id set not null;

-- Set when a staff member restores the password by SMS: until it is null again, no second factor goes to the same SIM card.
alter table users add column sms_restored_at timestamptz;
