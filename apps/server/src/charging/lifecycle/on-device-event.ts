import {
  awaitedStatuses,
  chargingStatuses,
  isAmong,
  type OperationStatus,
  securedStatuses,
} from '@fpay/contract/charging';
import type { Commands } from '../../ocpp/commands/service.ts';
import type { Wishes } from '../../ocpp/commands/wishes.ts';
import type { ChargingPort, StartedTransaction, TagStatus } from '../../ocpp/device/charging-port.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import type { RowLoop, RowLoops } from '../../platform/rows/row-loops.ts';
import type { Step } from '../../platform/step.ts';
import { findConnector } from '../../stations/connectors.ts';
import type { IdleWatch } from '../idle/idle-watch.ts';
import type { LimitWatch } from '../limit/limit-watch.ts';
import { priceReading } from '../limit/price-reading.ts';
import type { SiteRoom } from '../moves/site-room.ts';
import type { Starting } from '../moves/starting.ts';
import { listTermination } from '../moves/termination.ts';
import { startedText, type Transitions } from '../moves/transition.ts';
import type { Notify } from '../notify.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { createAwaitedStarts } from './awaited-starts.ts';
import type { ChargeEnd } from './charge-end.ts';
import { endedLately } from './ended-lately.ts';
import { operationProgressUpdate, writeLastReading } from './operation-progress.ts';

/** Cards, for taps that no operation of the app expects. */
export interface Cards {
  authorize(step: Step, tap: { chargePointId: number; idTag: string }): Promise<TagStatus>;
  /** A charge begun with a card: opens an operation from the balance. Null when the card is unknown or not allowed. */
  startedByCard(step: Step, transaction: StartedTransaction): Promise<StoredOperation | 'Blocked' | null>;
}

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  starting: Starting;
  commands: Pick<Commands, 'enqueue'>;
  wishes: Pick<Wishes, 'want'>;
  cards: Cards;
  dueWork: Pick<DueWork, 'wake'>;
  /** Notifies the driver, once per operation. */
  notify: Notify;
  chargeEnd: ChargeEnd;
  limitWatch: LimitWatch;
  idleWatch: Pick<IdleWatch, 'begin' | 'releaseConnector'>;
  siteRoom: Pick<SiteRoom, 'lock'>;
  clock: Clock;
  rows: RowLoops;
  wakeAt: (at: Date) => void;
}

const asIs = (id: number) => id;

/** Changes to other statuses are not passed on to charging, which keeps them cheap. */
const wantedStatuses: ReadonlySet<string> = new Set(['Faulted', 'SuspendedEV', 'SuspendedEVSE']);

/** Applies reports of devices to operations. Runs inside the gateway's own steps, before the device is answered. */
export function createChargingPort(dependencies: Dependencies): ChargingPort {
  const { operations, transitions, starting, commands, wishes, cards, dueWork, notify, chargeEnd } = dependencies;
  const { limitWatch, idleWatch, siteRoom, clock, rows, wakeAt } = dependencies;

  const byTag = (step: Step, idTag: string) => operations.lockByTag(step, idTag);

  async function openOn(
    step: Step,
    field: 'connector_id' | 'charge_point_id',
    ids: readonly number[],
    statuses: readonly OperationStatus[] = securedStatuses,
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

  /**
   * Each operation is handled on its own: one that cannot be handled blocks neither the device's message nor the
   * others.
   */
  const eachOf = (
    step: Step,
    loop: RowLoop,
    ids: readonly number[],
    handle: (operation: StoredOperation) => Promise<unknown>,
  ): Promise<number> =>
    rows.eachIn(step, loop, ids, asIs, async (id) => {
      const operation = await operations.lock(step, id);
      if (operation) await handle(operation);
    });

  async function stopUnwanted(
    step: Step,
    { chargePointId, ocppTransactionId }: StartedTransaction,
    operation: StoredOperation,
    why: string,
  ) {
    await operations.note(
      step,
      operation.id,
      'station',
      `${why}: transaction ${ocppTransactionId} gets a stop, never billed`,
    );
    await commands.enqueue(step, {
      chargePointId,
      action: 'RemoteStopTransaction',
      payload: { transactionId: ocppTransactionId },
      operationId: operation.id,
      outcomeTo: 'charging',
    });
    await wishes.want(step, { chargePointId, kind: 'stop', subject: ocppTransactionId });
  }

  /** A new charge on the connector means that any earlier one has ended; it is closed on its last reading. */
  async function closeForgotten(step: Step, { stillOpen, receivedAt }: StartedTransaction): Promise<void> {
    const transactionOf = ({ ocppTransactionId }: StartedTransaction['stillOpen'][number]) => ocppTransactionId;
    await rows.eachIn(step, 'charging.replaced', stillOpen, transactionOf, ({ ocppTransactionId }) =>
      chargeEnd.close(step, ocppTransactionId, receivedAt),
    );
  }

  /**
   * The charger reports a running charge again after a reboot: the operation continues under the new transaction id.
   */
  async function reportedAgain(step: Step, transaction: StartedTransaction): Promise<StoredOperation | null> {
    const { continuesOperation, ocppTransactionId } = transaction;
    const operation = continuesOperation === null ? null : await operations.lock(step, continuesOperation);
    if (!operation || !isPowerFlowing(operation.status)) return null;
    await operations.note(step, operation.id, 'station', `reported again as transaction ${ocppTransactionId}`);
    // The charger may have forgotten a stop that was requested under the old id.
    if (operation.status === 'finishing') {
      await operations.change(step, operation.id, { next_action_at: clock.now() });
      step.afterCommit(() => dueWork.wake('operation'));
    }
    return operation;
  }

  /** Our own start cannot be older than its operation; an earlier time is from a slow clock, and ours is used. */
  const beginOf = ({ createdAt }: StoredOperation, { startedAt, receivedAt }: StartedTransaction) =>
    startedAt < createdAt ? receivedAt : startedAt;

  async function begin(step: Step, operation: StoredOperation, transaction: StartedTransaction): Promise<void> {
    const sent =
      operation.status === 'pending'
        ? await transitions.move(step, operation, { event: 'startSent', actor: 'station', why: 'started by itself' })
        : operation;
    if (!sent) return;
    await transitions.move(step, sent, {
      event: 'powerFlows',
      actor: 'station',
      why: startedText(transaction.ocppTransactionId),
      changes: {
        started_at: beginOf(operation, transaction),
        start_phase: null,
        failure_reason: null,
        failure_cause: null,
        ...(await limitWatch.firstPlanAt(step, sent, transaction.receivedAt, beginOf(operation, transaction))),
      },
    });
  }

  return {
    async authorize(step, { chargePointId, idTag }) {
      const operation = await byTag(step, idTag);
      if (!operation) return cards.authorize(step, { chargePointId, idTag });
      const isExpected = operation.chargePoint === chargePointId && isAmong(awaitedStatuses, operation.status);
      return isExpected ? 'Accepted' : isPowerFlowing(operation.status) ? 'ConcurrentTx' : 'Invalid';
    },

    async transactionStarted(step, transaction) {
      const same = await reportedAgain(step, transaction);
      if (same) return { operationId: same.id, status: 'Accepted' };
      if (transaction.connectorId !== null) await idleWatch.releaseConnector(step, transaction.connectorId);
      const operation = await byTag(step, transaction.idTag);
      if (!operation) {
        if (transaction.connectorId !== null) await siteRoom.lock(step, transaction.connectorId);
        await closeForgotten(step, transaction);
        const byCard = await cards.startedByCard(step, transaction);
        if (byCard === null || byCard === 'Blocked') return { operationId: null, status: byCard ?? 'Invalid' };
        return { operationId: byCard.id, status: 'Accepted' };
      }
      if (operation.chargePoint !== transaction.chargePointId) {
        await stopUnwanted(step, transaction, operation, 'another charge point used the tag');
        return { operationId: null, status: 'Invalid' };
      }
      if (isAmong(awaitedStatuses, operation.status)) {
        await closeForgotten(step, transaction);
        await begin(step, operation, transaction);
        return { operationId: operation.id, status: 'Accepted', startedAt: beginOf(operation, transaction) };
      }
      if (isPowerFlowing(operation.status)) {
        await stopUnwanted(step, transaction, operation, 'a second start for a running operation');
        return { operationId: null, status: 'ConcurrentTx' };
      }
      await stopUnwanted(step, transaction, operation, 'a start after the end');
      return { operationId: null, status: 'Invalid' };
    },

    ...createAwaitedStarts({ transitions, limitWatch }),

    priceReading,

    operationUpdate: operationProgressUpdate,

    lastReading: writeLastReading,

    dueAt: (at) => wakeAt(new Date(at)),

    transactionEnded: chargeEnd.ended,

    async expected(step, { chargePointId, idTag }) {
      const operation = await byTag(step, idTag);
      const waits = operation?.chargePoint === chargePointId && isAmong(awaitedStatuses, operation.status);
      if (!operation || !waits) return null;
      const { ocppConnector } = await findConnector(step.db, operation.connector);
      return { ocppConnector };
    },

    wantedStatuses,

    async connectorStatusChanged(step, { connectorId, status, errorCode }) {
      if (connectorId === null) return;
      if (status === 'SuspendedEV') await idleWatch.begin(step, connectorId);
      if (status === 'SuspendedEVSE') {
        const running = await openOn(step, 'connector_id', [connectorId], ['ongoing']);
        await eachOf(step, 'charging.suspended', running, (operation) => limitWatch.suspended(step, operation));
      }
      if (status === 'Faulted') {
        const open = await openOn(step, 'connector_id', [connectorId], ['starting']);
        await eachOf(step, 'charging.fault', open, (operation) =>
          starting.connectorFaulted(step, operation, `the connector is faulted: ${errorCode}`),
        );
        const running = await openOn(step, 'connector_id', [connectorId], chargingStatuses);
        const charged = [...running, ...(await endedLately(step, connectorId, clock.now()))];
        await eachOf(step, 'charging.fault', charged, ({ id }) =>
          operations.change(step, id, { faulted_at: clock.now() }),
        );
      }
    },

    async chargePointsConnected(step, ids) {
      // All that are starting, whatever they wait for. A step that gives up an undelivered start either finishes before
      // this one or sees that the device is connected again.
      const open = await openOn(step, 'charge_point_id', ids, ['starting', 'ongoing']);
      await eachOf(step, 'charging.reconnect', open, async (operation) => {
        if (operation.status === 'ongoing') await limitWatch.deviceIsBack(step, operation);
        else await starting.deviceIsBack(step, operation);
        step.afterCommit(() => dueWork.wake('operation'));
      });
    },

    async chargePointsOnline(step, ids) {
      await eachOf(step, 'charging.online', await openOn(step, 'charge_point_id', ids), async (operation) => {
        if (isPowerFlowing(operation.status)) {
          await operations.note(step, operation.id, 'station', 'the station is back');
          await forgetAway(step, operation.id);
        }
        step.publish('operation', operation.id);
      });
    },

    async chargePointsOffline(step, ids) {
      await eachOf(step, 'charging.offline', await openOn(step, 'charge_point_id', ids), async (operation) => {
        await operations.note(step, operation.id, 'station', 'the station is away');
        // After the end nothing is left to lose: idle time is not counted while the station is away.
        if (isPowerFlowing(operation.status) && operation.chargeEndedAt === null) {
          await notify(step, operation.user, 'station_lost', { operation: operation.id });
          // It is listed until the device reconnects, or the watchdog ends it.
          await listTermination(step, operation.id, 'away', clock.now());
        }
        step.publish('operation', operation.id);
      });
    },
  };

  async function forgetAway(step: Step, operation: number): Promise<void> {
    await step.db.deleteFrom('terminations').where('operation_id', '=', operation).where('type', '=', 'away').execute();
  }
}
