-- Charge points of security profile 3 connect with a certificate, and refused connections say what was wrong with it.
alter table charge_points add column needs_certificate boolean not null default false;

alter table refused_connections drop constraint refused_connections_reason_check;
alter table refused_connections add constraint refused_connections_reason_check check (reason in
  ('unknown_identity', 'wrong_password', 'no_subprotocol', 'replaced', 'no_certificate', 'foreign_certificate',
   'expired_certificate', 'other_certificate'));
