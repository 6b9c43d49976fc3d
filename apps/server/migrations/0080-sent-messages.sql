-- Messages to drivers are kept for a while with what their channel said, so that staff can see what reached a caller.

create table sent_messages (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  channel text not null check (channel in ('sms', 'telegram', 'push')),
  -- What the driver reads. A code is never here.
  text text not null,
  -- The staff member who wrote it; null for a notice of the product.
  staff_id bigint references users (id),
  -- As the channel said it; unknown: no answer came, so it may have arrived.
  state text not null default 'queued' check (state in ('queued', 'accepted', 'sent', 'failed', 'unknown')),
  created_at timestamptz not null,
  settled_at timestamptz
);
create index sent_messages_user on sent_messages (user_id, id desc);
create index sent_messages_staff on sent_messages (staff_id) where staff_id is not null;
create index sent_messages_created on sent_messages (created_at);
