import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { nonceKeptMs } from './http/nonces.ts';
import { outboxKeptMs } from './outbox.ts';
import type { StartedPart } from './parts.ts';

/** Deletes expired rows of the platform. Runs once a minute on one worker. */
export function platformSweep(db: Database, clock: Clock): StartedPart[] {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  // These rows have timestamps of the database's clock, so their age is measured with the same clock.
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
  ];
}
