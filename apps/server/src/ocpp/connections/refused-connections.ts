import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createBatch } from '../../platform/rows/batch.ts';

/** Why a device has no connection, as staff need it to help an installer. */
export type ConnectionRefusalReason =
  | 'unknown_identity'
  | 'wrong_password'
  | 'no_subprotocol'
  | 'replaced'
  | 'no_certificate'
  | 'foreign_certificate'
  | 'expired_certificate'
  | 'other_certificate';

export interface RefusedConnection {
  identity: string;
  reason: ConnectionRefusalReason;
  /** Empty for a connection that a newer one replaced. */
  address: string;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** Records refused connections. The limits of the admission bound how many there can be. */
export function createRefusedConnections({ db, clock, log }: Dependencies) {
  const batch = createBatch<RefusedConnection, void>({
    waitMs: 200,
    most: 500,
    async run(refused) {
      const now = clock.now();
      const counted = Map.groupBy(refused, ({ identity, reason, address }) => `${reason} ${address} ${identity}`);
      const rows = [...counted.values()].flatMap(([first, ...more]) =>
        first ? [{ ...first, times: more.length + 1 }] : [],
      );
      await sql`
        insert into refused_connections as r (identity, reason, address, times, first_at, last_at)
        select v.identity, v.reason, v.address, v.times, ${now}, ${now}
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as v (identity text, reason text, address text, times integer)
        order by v.identity, v.reason, v.address
        on conflict (identity, reason, address) do update
          set times = r.times + excluded.times, last_at = excluded.last_at`.execute(db);
      return [];
    },
  });

  return {
    note(refused: RefusedConnection): void {
      batch.add(refused).catch((error: unknown) => {
        log.warn({ err: error, chargePoint: refused.identity }, 'refused connection unrecorded');
      });
    },
    drain: batch.drain,
  };
}
