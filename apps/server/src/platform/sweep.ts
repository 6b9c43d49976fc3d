import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { nonceKeptMs } from './http/nonces.ts';
import { outboxKeptMs } from './outbox.ts';
import type { Part } from './parts.ts';

/** Removes rows of the platform that are past their time. Runs once a minute on one worker. */
export function platformSweep(db: Database, clock: Clock): Part[] {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  // The database's own clock stamped these rows, so it also tells their age.
  const outbox = sql`delete from outbox where created_at < clock_timestamp() - ${outboxKeptMs} * interval '1 ms'`;
  return [
    { name: 'outbox', run: () => outbox.execute(db) },
    {
      name: 'rate limits',
      run: () => db.deleteFrom('rate_limits').where('resets_at', '<', clock.now()).execute(),
    },
    {
      name: 'nonces',
      run: () => db.deleteFrom('request_nonces').where('created_at', '<', ago(nonceKeptMs)).execute(),
    },
    {
      name: 'real-time tokens',
      run: () => db.deleteFrom('realtime_tokens_used').where('expires_at', '<', ago(60_000)).execute(),
    },
  ];
}
