import { openStatuses } from '@fpay/contract/charging';
import { type RawBuilder, sql } from 'kysely';
import type { Commands } from '../../ocpp/commands/service.ts';
import type { Wishes } from '../../ocpp/commands/wishes.ts';
import { noteAnomalies } from '../../ocpp/device/anomalies.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, literals } from '../../platform/database.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Steps } from '../../platform/step.ts';
import type { ChargeEnd } from './charge-end.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  commands: Pick<Commands, 'enqueue'>;
  wishes: Pick<Wishes, 'want'>;
  chargeEnd: Pick<ChargeEnd, 'bookRunning' | 'close'>;
  clock: Clock;
  rows: RowLoops;
}

interface Running {
  id: number;
  charge_point_id: number;
  operation_id: number | null;
  flows: boolean;
}

/** How long a device that was answered `Invalid` has to stop by itself. */
const askAgainAfter = '1 minute';
/**
 * The watchdog runs once a minute and sends a stop some moments after its run began. A full minute would leave out every
 * second run.
 */
const repeatedAfter = '50 seconds';
/**
 * After this time the device has forgotten the transaction, or will never report its end; staff see it among the
 * anomalies.
 */
const askFor = '24 hours';
/** A reading this recent that shows power, or energy that rose this recently, means that power flows. */
const flowsWithin = '15 minutes';
const mostAtOnce = 200;

/**
 * Charges that no operation pays for: begun after the end, a second time, or by an unknown card, and those whose
 * operation was settled although their charger ignored the stop. The stop is repeated until they end, because an answer
 * may have been lost, or sent before the device knew its transaction's id.
 */
export function createStrayCharges({ db, steps, commands, wishes, chargeEnd, clock, rows: loops }: Dependencies) {
  const since = (now: Date, interval: string) => sql`${now}::timestamptz - ${interval}::interval`;

  /** Over `ocpp_transactions t`, its operation `o`, `charge_points p` and `connectors c`. */
  async function find(now: Date, where: RawBuilder<boolean>, which = sql`true`): Promise<Running[]> {
    const { rows } = await sql<Running>`
      select * from (
        select t.id, t.charge_point_id, t.operation_id,
          exists (select from meter_samples m where m.ocpp_transaction_id = t.id and m.power_w > 0
              and m.received_at > ${since(now, flowsWithin)})
            or coalesce(to_timestamp((t.meter_state::json ->> 'risenAt')::float8 / 1000) > ${since(now, flowsWithin)}, false)
            as flows
        from ocpp_transactions t
          join charge_points p on p.id = t.charge_point_id
          left join operations o on o.id = t.operation_id
          left join connectors c on c.id = t.connector_id
        where t.stopped_at is null and (o.id is null or o.status not in (${literals(openStatuses)}))
          and ${where}) found
      where ${which}
      order by id limit ${mostAtOnce}`.execute(db);
    return rows;
  }

  /** When it should have ended. */
  const overSince = sql`coalesce(o.finished_at, o.closed_at, t.started_at)`;

  const toAskAgain = (now: Date) =>
    find(
      now,
      sql`p.is_online and t.continued_by is null and c.ocpp_status is distinct from 'Available'
        and ${overSince} > ${since(now, askFor)}
        and (o.id is not null or t.started_at < ${since(now, askAgainAfter)})
        and not exists (
          select from commands asked where asked.charge_point_id = t.charge_point_id
            and asked.action = 'RemoteStopTransaction' and (asked.payload ->> 'transactionId')::bigint = t.id
            and asked.created_at > ${since(now, repeatedAfter)})`,
      // A settled charge without power has most likely ended without a StopTransaction.
      sql`flows or operation_id is null`,
    );

  const toGiveUp = (now: Date) => find(now, sql`${overSince} <= ${since(now, askFor)}`);

  async function stopAgain({ id, charge_point_id, operation_id }: Running): Promise<void> {
    await steps.run(async (step) => {
      // A charger that never reports the end must not hide for a day what it delivers.
      await chargeEnd.bookRunning(step, id);
      await commands.enqueue(step, {
        chargePointId: charge_point_id,
        action: 'RemoteStopTransaction',
        payload: { transactionId: id },
        operationId: operation_id,
        outcomeTo: 'charging',
      });
      await wishes.want(step, { chargePointId: charge_point_id, kind: 'stop', subject: id });
    });
  }

  /** The energy delivered so far is booked; a StopTransaction that still arrives books nothing more. */
  async function giveUp({ id, charge_point_id: chargePointId, flows }: Running): Promise<void> {
    await steps.run(async (step) => {
      await chargeEnd.close(step, id, clock.now());
      const subject = `transaction ${id}`;
      const anomaly = { chargePointId, kind: 'stopIgnored', subject, ocppTransactionId: id } as const;
      if (flows) await noteAnomalies(step, [anomaly], clock.now());
    });
  }

  return {
    async stopAgain(): Promise<number> {
      const now = clock.now();
      const transactionOf = ({ id }: Running) => id;
      const given = await loops.each('charging.stray', await toGiveUp(now), transactionOf, giveUp);
      const asked = await loops.each('charging.stray', await toAskAgain(now), transactionOf, stopAgain);
      return given + asked;
    },
  };
}
