import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import pg from 'pg';

/** Lists what PostgreSQL ran, by `pg_stat_statements`, which is loaded only when it starts. It costs a few percent itself. */
export async function startCountingStatements(options: EmbeddedPostgresOptions) {
  const first = await startEmbeddedPostgres(options);
  await run(first.adminUrl, "alter system set shared_preload_libraries = 'pg_stat_statements'");
  await run(first.adminUrl, "alter system set pg_stat_statements.track_planning = 'on'");
  await first.stop();
  const postgres = await startEmbeddedPostgres(options);
  await run(postgres.adminUrl, 'create extension if not exists pg_stat_statements');
  return postgres;
}

export const forgetStatements = (adminUrl: string) => run(adminUrl, 'select pg_stat_statements_reset()');

/** Calls, ms of execution and ms of planning, each for one unit, of the most expensive statements; then the number of all calls. */
export async function printStatements(adminUrl: string, units: number, most = 40): Promise<void> {
  const rows = await run(
    adminUrl,
    `select calls::float8, total_exec_time as execution, total_plan_time as planning, regexp_replace(query, '\\s+', ' ', 'g') as text
     from pg_stat_statements where query not like '%pg_stat%' order by total_exec_time + total_plan_time desc`,
  );
  const column = (value: number) => (value / units).toFixed(3).padStart(8);
  for (const { calls, execution, planning, text } of rows.slice(0, most)) {
    console.log(column(calls), column(execution), column(planning), text.slice(0, 160));
  }
  console.log(`${(rows.reduce((sum, { calls }) => sum + calls, 0) / units).toFixed(2)} statements for one`);
}

async function run(adminUrl: string, text: string) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query<{ calls: number; execution: number; planning: number; text: string }>(text)).rows;
  } finally {
    await client.end();
  }
}
