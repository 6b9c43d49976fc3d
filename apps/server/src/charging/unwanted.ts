import { sql } from 'kysely';
import type { Commands } from '../ocpp/commands/service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Steps } from '../platform/step.ts';
import { outcomeTo } from './starting.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  commands: Pick<Commands, 'enqueue'>;
  clock: Clock;
  rows: RowLoops;
}

/** A device that did not stop by itself when it was told `Invalid` has had this long to. */
const askAgainAfter = '1 minute';
/** Past this the device has forgotten the transaction, or will never say how it ended: staff see it among the anomalies. */
const askFor = '24 hours';
const mostAtOnce = 200;

/**
 * Charges that belong to no operation: begun after the end, a second time, or by a card nobody knows. Nobody pays for them, so
 * they are told to stop until they have: an answer may have been lost, or given before the device knew its transaction's id.
 */
export function createUnwanted({ db, steps, commands, clock, rows: loops }: Dependencies) {
  async function running(now: Date): Promise<{ id: number; charge_point_id: number }[]> {
    const { rows } = await sql<{ id: number; charge_point_id: number }>`
      select t.id, t.charge_point_id from ocpp_transactions t
        join charge_points p on p.id = t.charge_point_id
        left join connectors c on c.id = t.connector_id
      where t.stopped_at is null and t.operation_id is null and p.is_online
        and t.started_at between ${now}::timestamptz - ${askFor}::interval and ${now}::timestamptz - ${askAgainAfter}::interval
        and c.ocpp_status is distinct from 'Available'
        and not exists (
          select from commands asked where asked.charge_point_id = t.charge_point_id
            and asked.action = 'RemoteStopTransaction' and (asked.payload ->> 'transactionId')::bigint = t.id
            and asked.created_at > ${now}::timestamptz - ${askAgainAfter}::interval)
      order by t.id limit ${mostAtOnce}`.execute(db);
    return rows;
  }

  return {
    async stopAgain(): Promise<number> {
      const stopAgain = ({ id, charge_point_id }: { id: number; charge_point_id: number }) =>
        steps.run((step) =>
          commands.enqueue(step, {
            chargePointId: charge_point_id,
            action: 'RemoteStopTransaction',
            payload: { transactionId: id },
            outcomeTo,
          }),
        );
      return loops.each('charging.stray', await running(clock.now()), ({ id }) => id, stopAgain);
    },
  };
}
