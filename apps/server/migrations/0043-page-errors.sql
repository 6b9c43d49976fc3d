-- Errors of the web app that a driver or staff member saw. The code on the screen finds the row for a month.

create table page_errors (
  code text primary key check (code ~ '^[A-HJKMNP-Z2-9]{8}$'),
  -- Null for a visitor, and after the account was deleted.
  user_id bigint references users (id),
  path text not null check (length(path) <= 200),
  message text not null check (length(message) <= 300),
  stack text not null check (length(stack) <= 4000),
  browser text not null check (length(browser) <= 300),
  version text not null check (length(version) <= 40),
  created_at timestamptz not null
);
create index page_errors_age on page_errors (created_at);
create index page_errors_user on page_errors (user_id) where user_id is not null;
