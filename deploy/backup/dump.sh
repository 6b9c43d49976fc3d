#!/bin/sh
# dump.sh ADDRESS FOLDER [KEEP]
# The small way: one file with the whole database as it is now. A restore loses everything after it. To restore:
#   createdb -O fpay_owner fpay && pg_restore -d fpay -j 4 --exit-on-error FILE && psql -d fpay -c analyze
# Roles are not in it: create them first (postgres-roles.sh).
set -eu
address=$1 folder=$2 keep=${3:-14}
case $keep in '' | *[!0-9]* | 0) echo "KEEP must be a number from 1" >&2; exit 2 ;; esac
target=$folder/fpay-$(date -u +%Y%m%dT%H%M%SZ).dump
pg_dump -d "$address" -Fc -Z1 --no-password -f "$target.part"
mv "$target.part" "$target"
echo "$target"
ls "$folder"/fpay-????????T??????Z.dump | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm "$old"
  echo "removed $old"
done
