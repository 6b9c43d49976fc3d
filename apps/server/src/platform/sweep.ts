import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { nonceKeptMs } from './http/nonces.ts';
import { outboxKeptMs } from './outbox.ts';

/** Removes the platform's rows that have served their time. Runs once a minute on one worker. */
export async function sweepPlatform(db: Database, clock: Clock): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  // The database's own clock stamped these rows, so it also tells their age.
  await sql`delete from outbox where created_at < clock_timestamp() - ${outboxKeptMs} * interval '1 ms'`.execute(db);
  await db.deleteFrom('rate_limits').where('resets_at', '<', clock.now()).execute();
  await db.deleteFrom('request_nonces').where('created_at', '<', ago(nonceKeptMs)).execute();
}
