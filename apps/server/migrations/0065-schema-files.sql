-- Which files of functions and views the database has (docs/decisions/0063-functions-have-one-place.md). The migrator applies a file again when its checksum changes.

create table schema_files (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
);
-- Schema: a648a6056eb066eb0f1555a5fc1395b299c4434d19e1216ada4aa966c5433b4a
