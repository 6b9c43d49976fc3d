#!/bin/sh
# archive_command = '/opt/fpay/deploy/backup/archive-wal.sh /backup/wal %p %f'
# Keeps one finished WAL file. PostgreSQL repeats the call until it ends with 0 and reuses the file only then.
set -eu
archive=$1 source=$2 name=$3
target=$archive/$name
# A repeat after a crash finds its own file; a file with other content belongs to another cluster and must stay.
if [ -f "$target" ]; then
  cmp -s "$source" "$target"
  exit
fi
# The final name appears only when the copy is complete and on the disk.
cp "$source" "$target.part"
sync "$target.part"
mv "$target.part" "$target"
