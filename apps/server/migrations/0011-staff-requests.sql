-- A staff action is done once per request: when a crash swallows the answer, the repeated request finds its record.
alter table audit add column request_key text;
create unique index audit_request on audit (request_key) where request_key is not null;
