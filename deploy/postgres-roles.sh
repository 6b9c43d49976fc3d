#!/bin/sh
# Two roles: one owns the schema, the other is the product's and owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" \
  -v app="$APP_PASSWORD" -v owner="$OWNER_PASSWORD" <<'SQL'
create role fpay_owner login password :'owner';
create role fpay_app login password :'app';
create database fpay owner fpay_owner;
SQL
