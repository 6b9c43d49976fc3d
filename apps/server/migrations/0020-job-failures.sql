-- Background jobs that keep failing: how often in a row, since when and why; staff health lists those of three and more.
create table job_failures (
  id bigint generated always as identity primary key,
  queue text not null,
  -- In a row, without a success between them.
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_error text not null,
  -- Null: the job has not succeeded since.
  cleared_at timestamptz
);
create unique index job_failures_open on job_failures (queue) where cleared_at is null;
