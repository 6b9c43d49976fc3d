#!/bin/sh
# base-backup.sh ADDRESS FOLDER [KEEP]
# Copies the running cluster into FOLDER/base-TIME, checks the copy, and keeps the newest KEEP copies (7). ADDRESS is for
# libpq, of a role with the right to replicate: 'host=db.example user=fpay_backup'. Once a night is enough: with the WAL
# archive a restore reaches every moment after a copy.
set -eu
address=$1 folder=$2 keep=${3:-7}
case $keep in '' | *[!0-9]* | 0) echo "KEEP must be a number from 1" >&2; exit 2 ;; esac
target=$folder/base-$(date -u +%Y%m%dT%H%M%SZ)
pg_basebackup -d "$address" -D "$target.part" --wal-method=none --checkpoint=fast --no-password
# The archive has the WAL, so only the files are compared with the manifest.
pg_verifybackup --no-parse-wal "$target.part"
mv "$target.part" "$target"
echo "$target"
ls -d "$folder"/base-????????T??????Z | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm -r "$old"
  echo "removed $old"
done
