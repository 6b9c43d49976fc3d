-- The provider's id of an SMS in a case, by which its delivery is asked for.

alter table case_entries
  add column sms_id text,
  drop constraint case_entries_sms_state_check,
  add constraint case_entries_sms_state_check
    check (sms_state in ('queued', 'accepted', 'delivered', 'failed', 'unknown'));
-- Messages whose delivery is not known yet.
create index case_entries_accepted on case_entries (created_at) where sms_state = 'accepted' and sms_id is not null;
