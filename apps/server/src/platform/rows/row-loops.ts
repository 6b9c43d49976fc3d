import { sql } from 'kysely';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../database.ts';
import { isRetryable, type Step } from '../step.ts';
import type { Metrics } from '../watching/metrics.ts';

/** Every loop over many rows, with what one row is. The name is the label of the metric and a field of the log line. */
const loops = {
  'watchdog.idle-notice': 'an operation whose driver is warned that the car takes nothing',
  'watchdog.over_limit': 'an operation',
  'watchdog.silent': 'an operation',
  'watchdog.stuck': 'an operation',
  'watchdog.stop_ignored': 'an operation',
  'watchdog.idle': 'an operation',
  'watchdog.away': 'an operation',
  'watchdog.hold_ending': 'an operation',
  'watchdog.forgotten': 'an operation',
  'charging.stray': 'an OCPP transaction without an operation',
  'charging.slow-readings': 'an operation whose readings come less often than configured',
  'charging.reconnect': 'an operation whose charge point connected',
  'charging.online': 'an operation whose charge point is back',
  'charging.offline': 'an operation whose charge point went away',
  'charging.fault': 'an operation whose connector is faulted',
  'charging.suspended': 'an operation whose charge point holds the power back',
  'charging.replaced': 'an OCPP transaction that another one on its connector replaced',
  'charging.reward': 'a promotion of the station',
  'gateway.offline': 'a charge point that has been away for long enough',
  'gateway.connection': 'a socket that is looked at once a second',
  'gateway.reclaim': 'a charge point whose socket is taken back',
  'reconciliation.line': 'a line of the bank statement',
  'reconciliation.overridden': 'a payment whose status staff forced',
  'reconciliation.absent': 'a payment that the bank statement lacks',
  'messages.notice': 'an operation whose driver gets a message',
  'account.follow': 'a guest who joined an account while an operation was being opened',
  'account.guest': 'a guest who is removed',
  'ledger.fault': 'a fault of the ledger that is listed for staff',
  'audit.fault': 'a fault of the audit that is listed for staff',
  'outbox.event': 'an event and one of its listeners',
} as const satisfies Record<string, string>;

/** Due work has a loop for each of its kinds. */
export type RowLoop = keyof typeof loops | `due.${string}`;

type IdOf<Row> = (row: Row) => number | string;

/**
 * One bad row does not affect other rows. A row that cannot be handled is logged with its id and counted, and the loop
 * goes on. An unreachable database is not the row's failure: the loop ends, because every other row would fail the same
 * way.
 */
export interface RowLoops {
  /** Handles each row on its own, in order; `handle` opens its own step. Returns how many succeeded. */
  each<Row>(
    loop: RowLoop,
    rows: Iterable<Row>,
    idOf: IdOf<Row>,
    handle: (row: Row) => Promise<unknown>,
  ): Promise<number>;
  /**
   * The same inside a step: what a bad row wrote is undone, and the step goes on. All rows share one savepoint, which costs two
   * round trips however many they are; when one of them fails, all are handled again, each with a savepoint of its own.
   */
  eachIn<Row>(
    step: Step,
    loop: RowLoop,
    rows: Iterable<Row>,
    idOf: IdOf<Row>,
    handle: (row: Row) => Promise<unknown>,
  ): Promise<number>;
  /** Handles all rows together, and each on its own when that fails. Returns how many succeeded. */
  together<Row>(
    loop: RowLoop,
    rows: readonly Row[],
    idOf: IdOf<Row>,
    handle: (rows: readonly Row[]) => Promise<unknown>,
  ): Promise<number>;
  /** For a loop that cannot be written as one of the above. */
  failed(loop: RowLoop, id: number | string, error: unknown): void;
}

export function createRowLoops({ log, metrics }: { log: Logger; metrics: Pick<Metrics, 'counter'> }): RowLoops {
  const count = metrics.counter('fpay_row_failures_total', 'Rows that a loop could not handle, by loop', 'loop');

  const failed: RowLoops['failed'] = (loop, id, error) => {
    log.error({ err: error, loop, id }, 'row failed');
    count(loop);
  };

  async function go<Row>(
    [loop, rows, idOf, handle]: Parameters<typeof each<Row>>,
    endsLoop: (error: unknown) => boolean,
  ): Promise<number> {
    let handled = 0;
    for (const row of rows) {
      try {
        await handle(row);
        handled += 1;
      } catch (error) {
        if (endsLoop(error)) throw error;
        failed(loop, idOf(row), error);
      }
    }
    return handled;
  }

  const each: RowLoops['each'] = (...loop) => go(loop, isDatabaseAway);
  // After a deadlock the database asks for the whole step again, not for the row.
  const endsStep = (error: unknown) => isDatabaseAway(error) || isRetryable(error);

  return {
    each,
    failed,
    async eachIn(step, loop, rows, idOf, handle) {
      const all = [...rows];
      if (all.length === 0) return 0;
      const inSavepoint = async (work: () => Promise<unknown>) => {
        await sql`savepoint some_rows`.execute(step.db);
        try {
          await work();
        } catch (error) {
          if (!endsStep(error)) await sql`rollback to savepoint some_rows`.execute(step.db);
          throw error;
        }
        await sql`release savepoint some_rows`.execute(step.db);
      };
      try {
        await inSavepoint(async () => {
          for (const row of all) await handle(row);
        });
        return all.length;
      } catch (error) {
        if (endsStep(error)) throw error;
        return go([loop, all, idOf, (row) => inSavepoint(() => handle(row))], endsStep);
      }
    },
    async together(loop, rows, idOf, handle) {
      if (rows.length === 0) return 0;
      try {
        await handle(rows);
        return rows.length;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        return each(loop, rows, idOf, (row) => handle([row]));
      }
    },
  };
}
