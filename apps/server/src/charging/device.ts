import type { OperationStatus } from '@fpay/contract/charging';
import type { Commands } from '../ocpp/commands/service.ts';
import type { ChargingHooks, SessionStarted, TagStatus } from '../ocpp/hooks.ts';
import type { Clock } from '../platform/clock.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { RowLoop, RowLoops } from '../platform/row-loops.ts';
import type { Step } from '../platform/step.ts';
import type { LimitWatch } from './limit-watch.ts';
import type { Moves } from './moves.ts';
import { isCharging } from './operation.ts';
import { reckon } from './reckoning.ts';
import type { SessionEnd } from './session-end.ts';
import { outcomeTo, type Starting } from './starting.ts';
import type { Operation, OperationStore } from './store.ts';
import { listTermination } from './termination.ts';

/** Cards, for taps that no operation of the app expects. */
export interface Cards {
  authorize(step: Step, tap: { chargePointId: number; idTag: string }): Promise<TagStatus>;
  /** A charge begun with a card: opens an operation from the balance. Null: not one of ours, or not allowed. */
  sessionStarted(step: Step, session: SessionStarted): Promise<Operation | 'Blocked' | null>;
}

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  starting: Starting;
  commands: Pick<Commands, 'enqueue'>;
  cards: Cards;
  dueWork: Pick<DueWork, 'wake'>;
  /** The driver hears of it, once per operation. */
  notify: Notify;
  sessionEnd: SessionEnd;
  limitWatch: LimitWatch;
  clock: Clock;
  rows: RowLoops;
  wakeAt: (at: Date) => void;
}

export type Notify = (
  step: Step,
  user: number,
  kind: 'idle' | 'station_lost' | 'stop_ignored',
  about: { operation: number },
) => Promise<void>;

const asIs = (id: number) => id;

/** Changes to other statuses are not passed on to charging, which keeps them cheap. */
const statusesHeard: ReadonlySet<string> = new Set(['Faulted', 'SuspendedEVSE']);

/** What devices report, as it concerns operations. Runs inside the gateway's own steps, before the device is answered. */
export function createDeviceEvents(dependencies: Dependencies): ChargingHooks {
  const { operations, moves, starting, commands, cards, dueWork, notify, sessionEnd } = dependencies;
  const { limitWatch, clock, rows, wakeAt } = dependencies;

  async function byTag(step: Step, idTag: string): Promise<Operation | null> {
    const row = await step.db.selectFrom('operations').select('id').where('id_tag', '=', idTag).executeTakeFirst();
    return row ? operations.lock(step, row.id) : null;
  }

  async function openOn(
    step: Step,
    field: 'connector_id' | 'charge_point_id',
    ids: readonly number[],
    statuses: readonly OperationStatus[] = ['pending', 'starting', 'ongoing', 'finishing'],
  ): Promise<number[]> {
    if (ids.length === 0) return [];
    const found = await step.db
      .selectFrom('operations')
      .select('id')
      .where(field, 'in', ids)
      .where('status', 'in', statuses)
      .orderBy('id')
      .execute();
    return found.map(({ id }) => id);
  }

  /** Each operation on its own: one that cannot be handled keeps neither the device's message nor the others back. */
  const eachOf = (
    step: Step,
    loop: RowLoop,
    ids: readonly number[],
    handle: (operation: Operation) => Promise<unknown>,
  ): Promise<number> =>
    rows.eachIn(step, loop, ids, asIs, async (id) => {
      const operation = await operations.lock(step, id);
      if (operation) await handle(operation);
    });

  async function stopUnwanted(
    step: Step,
    { chargePointId, ocppTransactionId }: SessionStarted,
    operation: Operation,
    why: string,
  ) {
    await operations.note(
      step,
      operation.id,
      'station',
      `${why}: transaction ${ocppTransactionId} is told to stop, never billed`,
    );
    await commands.enqueue(step, {
      chargePointId,
      action: 'RemoteStopTransaction',
      payload: { transactionId: ocppTransactionId },
      operationId: operation.id,
      outcomeTo,
    });
  }

  /** A new charge on the connector: whatever was open there is over, on its last reading. */
  async function closeForgotten(step: Step, { stillOpen, receivedAt }: SessionStarted): Promise<void> {
    const transactionOf = ({ ocppTransactionId }: SessionStarted['stillOpen'][number]) => ocppTransactionId;
    await rows.eachIn(step, 'charging.replaced', stillOpen, transactionOf, ({ ocppTransactionId }) =>
      sessionEnd.close(step, ocppTransactionId, receivedAt),
    );
  }

  /** The charger reports a running charge again after a reboot: the operation goes on under the new transaction id. */
  async function reportedAgain(step: Step, session: SessionStarted): Promise<Operation | null> {
    const { continuesOperation, ocppTransactionId } = session;
    const operation = continuesOperation === null ? null : await operations.lock(step, continuesOperation);
    if (!operation || !isCharging(operation.status)) return null;
    await operations.note(step, operation.id, 'station', `reported again as transaction ${ocppTransactionId}`);
    // The charger may have forgotten a stop that it was asked for under the old id.
    if (operation.status === 'finishing') {
      await operations.change(step, operation.id, { next_action_at: clock.now() });
      step.afterCommit(() => dueWork.wake('operation'));
    }
    return operation;
  }

  /** Our own start cannot be older than its operation: an earlier time is a slow clock, and ours counts. */
  const beginOf = ({ createdAt }: Operation, { startedAt, receivedAt }: SessionStarted) =>
    startedAt < createdAt ? receivedAt : startedAt;

  async function begin(step: Step, operation: Operation, session: SessionStarted): Promise<void> {
    const sent =
      operation.status === 'pending'
        ? await moves.move(step, operation, { event: 'startSent', actor: 'station', why: 'started by itself' })
        : operation;
    if (!sent) return;
    await moves.move(step, sent, {
      event: 'powerFlows',
      actor: 'station',
      why: `transaction ${session.ocppTransactionId} started`,
      changes: {
        started_at: beginOf(operation, session),
        start_phase: null,
        failure_reason: null,
        ...(await limitWatch.firstPlan(step, sent, session.receivedAt)),
      },
    });
  }

  return {
    async authorize(step, { chargePointId, idTag }) {
      const operation = await byTag(step, idTag);
      if (!operation) return cards.authorize(step, { chargePointId, idTag });
      const isExpected = operation.chargePoint === chargePointId && ['pending', 'starting'].includes(operation.status);
      return isExpected ? 'Accepted' : isCharging(operation.status) ? 'ConcurrentTx' : 'Invalid';
    },

    async sessionStarted(step, session) {
      const same = await reportedAgain(step, session);
      if (same) return { operationId: same.id, status: 'Accepted' };
      const operation = await byTag(step, session.idTag);
      if (!operation) {
        await closeForgotten(step, session);
        const byCard = await cards.sessionStarted(step, session);
        if (byCard === null || byCard === 'Blocked') return { operationId: null, status: byCard ?? 'Invalid' };
        return { operationId: byCard.id, status: 'Accepted' };
      }
      if (operation.chargePoint !== session.chargePointId) {
        await stopUnwanted(step, session, operation, 'another charge point used the tag');
        return { operationId: null, status: 'Invalid' };
      }
      if (operation.status === 'pending' || operation.status === 'starting') {
        await closeForgotten(step, session);
        await begin(step, operation, session);
        return { operationId: operation.id, status: 'Accepted', startedAt: beginOf(operation, session) };
      }
      if (isCharging(operation.status)) {
        await stopUnwanted(step, session, operation, 'a second start for a running operation');
        return { operationId: null, status: 'ConcurrentTx' };
      }
      await stopUnwanted(step, session, operation, 'a start after the end');
      return { operationId: null, status: 'Invalid' };
    },

    reckon,

    dueAt: (at) => wakeAt(new Date(at)),

    sessionEnded: sessionEnd.ended,

    async expected(step, { chargePointId, idTag }) {
      const operation = await byTag(step, idTag);
      const waits = operation?.chargePoint === chargePointId && ['pending', 'starting'].includes(operation.status);
      if (!operation || !waits) return null;
      const connector = await step.db
        .selectFrom('connectors')
        .select('ocpp_connector')
        .where('id', '=', operation.connector)
        .executeTakeFirstOrThrow();
      return { ocppConnector: connector.ocpp_connector };
    },

    statusesHeard,

    async connectorStatusChanged(step, { connectorId, status, errorCode }) {
      if (connectorId === null) return;
      if (status === 'SuspendedEVSE') {
        const running = await openOn(step, 'connector_id', [connectorId], ['ongoing']);
        await eachOf(step, 'charging.suspended', running, (operation) => limitWatch.suspended(step, operation));
      }
      if (status === 'Faulted') {
        const open = await openOn(step, 'connector_id', [connectorId], ['starting']);
        await eachOf(step, 'charging.fault', open, (operation) =>
          starting.connectorFaulted(step, operation, `the connector is faulted: ${errorCode}`),
        );
      }
    },

    async chargePointsConnected(step, ids) {
      // All that are starting, whatever they wait for: one whose start is being given up as undelivered is waited for here,
      // or sees there that the device is back.
      const open = await openOn(step, 'charge_point_id', ids, ['starting', 'ongoing']);
      await eachOf(step, 'charging.reconnect', open, async (operation) => {
        if (operation.status === 'ongoing') await limitWatch.deviceIsBack(step, operation);
        else await starting.deviceIsBack(step, operation);
        step.afterCommit(() => dueWork.wake('operation'));
      });
    },

    async chargePointsOnline(step, ids) {
      await eachOf(step, 'charging.online', await openOn(step, 'charge_point_id', ids), async (operation) => {
        if (isCharging(operation.status)) {
          await operations.note(step, operation.id, 'station', 'the station is back');
          await forgetAway(step, operation.id);
        }
        step.tell('operation', operation.id);
      });
    },

    async chargePointsOffline(step, ids) {
      await eachOf(step, 'charging.offline', await openOn(step, 'charge_point_id', ids), async (operation) => {
        await operations.note(step, operation.id, 'station', 'the station is away');
        if (isCharging(operation.status)) {
          await notify(step, operation.user, 'station_lost', { operation: operation.id });
          // Until it is back, or the watchdog ends it.
          await listTermination(step, operation.id, 'away', clock.now());
        }
        step.tell('operation', operation.id);
      });
    },
  };

  async function forgetAway(step: Step, operation: number): Promise<void> {
    await step.db.deleteFrom('terminations').where('operation_id', '=', operation).where('type', '=', 'away').execute();
  }
}
