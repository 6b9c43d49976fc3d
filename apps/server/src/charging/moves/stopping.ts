import type { Commands } from '../../ocpp/commands/service.ts';
import type { Wishes } from '../../ocpp/commands/wishes.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import type { Notify } from '../notify.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { billedAfterStopMs } from './billed-energy.ts';
import type { Starting } from './starting.ts';
import { listTermination } from './termination.ts';
import type { Transitions } from './transition.ts';

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  starting: Starting;
  commands: Pick<Commands, 'enqueue' | 'isConnected' | 'wasSentBefore'>;
  wishes: Pick<Wishes, 'want'>;
  /** Informs the driver, once per operation. */
  notify: Notify;
  clock: Clock;
}

/** A stop is repeated until the device reports the end: it may have been lost, and a repeat is harmless. */
const firstRepeatMs = 30_000;
const repeatEveryMs = 60_000;

export type StopCause = 'driver' | 'staff' | 'rfid' | 'limit' | 'watchdog' | 'site_full' | 'site_limit';
/**
 * Stops after which the bill grows for 30 s at most: those that a person requests (staff act on the driver's behalf), and
 * those for which the site is the reason.
 */
const boundsBill: ReadonlySet<StopCause> = new Set(['driver', 'staff', 'rfid', 'site_limit']);

/** A stop from our side, for any cause. The device's StopTransaction ends the charge. */
export function createStopping({ operations, transitions, starting, commands, wishes, notify, clock }: Dependencies) {
  async function sendStop(step: Step, operation: StoredOperation): Promise<void> {
    const transaction = await transactionOfOperation(step.db, operation.id);
    const now = clock.now().getTime();
    const firstRepeatAt = (operation.stopRequestedAt?.getTime() ?? now) + firstRepeatMs;
    const next_action_at = new Date(now < firstRepeatAt ? firstRepeatAt : now + repeatEveryMs);
    await operations.change(step, operation.id, { next_action_at });
    if (!transaction || transaction.isStopped) return;
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'RemoteStopTransaction',
      payload: { transactionId: transaction.id },
      operationId: operation.id,
      outcomeTo: 'charging',
    });
    // The next connect of the device does not wait for the repeat.
    await wishes.want(step, { chargePointId: operation.chargePoint, kind: 'stop', subject: transaction.id });
  }

  const billedUntil = (cause: StopCause) =>
    boundsBill.has(cause) ? new Date(clock.now().getTime() + billedAfterStopMs) : null;

  /** The stop was sent 30 s ago, the charger is online and still charges: driver and staff are informed, once. */
  async function noteIgnored(step: Step, operation: StoredOperation): Promise<void> {
    const askedBefore = new Date(clock.now().getTime() - firstRepeatMs);
    if (operation.stopIgnoredAt !== null || !(await commands.isConnected(step, operation.chargePoint))) return;
    const isAsked = await commands.wasSentBefore(step, {
      chargePointId: operation.chargePoint,
      operationId: operation.id,
      action: 'RemoteStopTransaction',
      before: askedBefore,
    });
    if (!isAsked) return;
    await operations.change(step, operation.id, { stop_ignored_at: clock.now() });
    await operations.note(step, operation.id, 'station', 'the stop was ignored for 30 s');
    await listTermination(step, operation.id, 'stop_ignored', clock.now());
    if (operation.stopCause !== 'watchdog')
      await notify(step, operation.user, 'stop_ignored', { operation: operation.id });
  }

  return {
    sendStop,

    /** Due in `finishing`. */
    async askAgain(step: Step, operation: StoredOperation): Promise<void> {
      // The device has stopped; the idle watch settles it when the cable is out.
      if (operation.chargeEndedAt !== null) {
        await operations.change(step, operation.id, { next_action_at: null });
        return;
      }
      await noteIgnored(step, operation);
      await sendStop(step, operation);
    },

    /** Returns the operation after the change. One that has ended stays as it is. */
    async stop(step: Step, operation: StoredOperation, cause: StopCause, why: string): Promise<StoredOperation> {
      switch (operation.status) {
        case 'created':
        case 'pending':
        case 'starting': {
          const changes = { stop_requested_at: clock.now(), stop_cause: cause };
          const canceled = await transitions.move(step, operation, { event: 'withdrawn', actor: cause, why, changes });
          if (canceled) await starting.releaseMoney(step, operation.id);
          return canceled ?? operation;
        }
        case 'ongoing': {
          const changes = {
            stop_requested_at: clock.now(),
            stop_cause: cause,
            stop_due_at: null,
            billed_until: billedUntil(cause),
          };
          const finishing = await transitions.move(step, operation, { event: 'stopAsked', actor: cause, why, changes });
          if (finishing) await sendStop(step, finishing);
          return finishing ?? operation;
        }
        case 'finishing':
          // The limit or the watchdog was first; the driver's own request limits the bill all the same.
          if (operation.billedUntil !== null || !boundsBill.has(cause)) return operation;
          return operations.change(step, operation.id, { billed_until: billedUntil(cause) });
        default:
          return operation;
      }
    },
  };
}

export type Stopping = ReturnType<typeof createStopping>;
