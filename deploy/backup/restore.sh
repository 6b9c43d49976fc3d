#!/bin/sh
# restore.sh BASE ARCHIVE DATA [TIME]
# Puts the copy BASE into the empty folder DATA and makes PostgreSQL, at its next start there, replay the WAL of ARCHIVE up
# to TIME ('2026-11-17 18:00:00+00'; without it up to the end of the archive). Run it as the user postgres. The restored
# server archives nothing, so it cannot spoil the archive of the real one; remove restored.conf when it becomes the real one.
set -eu
base=$1 archive=$2 data=$3 time=${4:-}
if [ -e "$data" ] && [ -n "$(ls -A "$data")" ]; then
  echo "$data is not empty" >&2
  exit 1
fi
[ -f "$base/backup_manifest" ] || { echo "$base is not a copy made by base-backup.sh" >&2; exit 1; }
mkdir -p "$data"
cp -a "$base/." "$data/"
chmod 700 "$data"
rm -f "$data/standby.signal"
touch "$data/recovery.signal"
{
  echo "archive_mode = 'off'"
  echo "synchronous_standby_names = ''"
  echo "restore_command = 'cp \"$archive/%f\" \"%p\"'"
  if [ -n "$time" ]; then
    echo "recovery_target_time = '$time'"
    echo "recovery_target_action = 'promote'"
  fi
} > "$data/restored.conf"
# The last setting of a name counts.
echo "include_if_exists = 'restored.conf'" >> "$data/postgresql.conf"
echo "Start PostgreSQL in $data, wait until it takes writes, then: DATABASE_URL=... npm run ledger:check"
