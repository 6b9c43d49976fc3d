import type { Commands } from '../../ocpp/commands/service.ts';
import { exactTimerWithinMs } from '../../ocpp/transactions/charging-port.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { findConnector } from '../../stations/connectors.ts';
import type { Stopping } from '../lifecycle/stopping.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import type { DeviceLimit } from './device-limit.ts';
import { lookAt, planOf, stopOf } from './price-reading.ts';
import type { RequestReading } from './request-reading.ts';

interface Dependencies {
  operations: OperationStore;
  stopping: Pick<Stopping, 'stop'>;
  requestReading: RequestReading;
  deviceLimit: DeviceLimit;
  commands: Pick<Commands, 'isConnected'>;
  clock: Clock;
  wakeAt: (at: Date) => void;
}

/** A reading requested later than this would arrive after the stop. */
const tooLateToAskMs = 400;
/** While the device is away nothing can be stopped; this is only the fallback for the event of its reconnect. */
const awayMs = 60_000;
/**
 * A device that has reconnected first sends its queue. Then it gets a request for a reading, and only after that it is
 * stopped without one.
 */
const back = { askInMs: 6_000, stopInMs: 12_000 };

/** The first check after the start, when the answer has reached the device. */
const firstLookMs = 2_000;
/** A profile that could not be renewed is checked again after this. */
const renewAgainMs = 6_000;
const oldMs = 15_000;

/** Watches the limit of a running charge. Readings update the plan by themselves; this runs what becomes due. */
export function createLimitWatch(dependencies: Dependencies) {
  const { operations, stopping, requestReading, deviceLimit, commands, clock, wakeAt } = dependencies;

  async function ratedW(step: Step, { connector }: StoredOperation): Promise<number> {
    return (await findConnector(step.db, connector)).ratedW;
  }

  async function next(step: Step, { id }: StoredOperation, dueAtMs: number): Promise<void> {
    const at = new Date(lookAt(dueAtMs, clock.now().getTime()));
    await operations.change(step, id, { next_action_at: at });
    wakeSoon(step, at);
  }

  function wakeSoon(step: Step, at: Date): void {
    if (at.getTime() - clock.now().getTime() <= exactTimerWithinMs) step.afterCommit(() => wakeAt(at));
  }

  /** Sets or renews the device's own limit; returns when to check it again. */
  async function leaveWithDevice(step: Step, operation: StoredOperation, now: number): Promise<number | null> {
    const renewAtMs = deviceLimit.renewAtMs(operation);
    if (renewAtMs !== null && renewAtMs > now) return renewAtMs;
    const transaction = await transactionOfOperation(step.db, operation.id);
    if (!transaction || transaction.isStopped) return null;
    const cutAt = await deviceLimit.set(step, operation, transaction.id);
    const nextMs = deviceLimit.renewAtMs({ ...operation, deviceCutAt: cutAt });
    if (nextMs === null) return null;
    // Not renewed, because an old reading shows no more than when the profile was set.
    const isOld = now - (operation.meteredAt?.getTime() ?? 0) > oldMs;
    if (nextMs <= now && isOld) await requestReading(step, operation);
    return Math.max(nextMs, now + renewAgainMs);
  }

  return {
    /** Written together with the start: from here on rated power is assumed until a reading arrives. */
    async firstPlan(step: Step, operation: StoredOperation, receivedAt: Date) {
      const reading = { energyWh: 0, powerW: null, ratedW: await ratedW(step, operation), receivedAt: +receivedAt };
      const { stopAt, nextAt } = stopOf(operation.limit, reading);
      if (stopAt === null || nextAt === null) return { metered_at: receivedAt, next_action_at: null };
      // The first check gives the limit to the device, as soon as the device knows its transaction.
      const look = new Date(Math.min(nextAt, +receivedAt + firstLookMs));
      wakeSoon(step, look);
      return { metered_at: receivedAt, stop_due_at: new Date(stopAt), next_action_at: look };
    },

    /** Due while power flows: a reading is requested, then the stop is sent. */
    async due(step: Step, operation: StoredOperation): Promise<void> {
      const { limit, energy, powerW, meteredAt, stopDueAt } = operation;
      if (limit === null || meteredAt === null || stopDueAt === null) {
        await operations.change(step, operation.id, { next_action_at: null });
        return;
      }
      const now = clock.now().getTime();
      const stopAt = stopDueAt.getTime();
      if (!(await commands.isConnected(step, operation.chargePoint))) {
        await operations.change(step, operation.id, { next_action_at: new Date(now + awayMs) });
        return;
      }
      if (stopAt - now < tooLateToAskMs) {
        await stopping.stop(step, operation, 'limit', 'the deposit is used up');
        return;
      }
      const reading = { energyWh: energy, powerW, ratedW: await ratedW(step, operation), receivedAt: +meteredAt };
      const { askAtMs } = planOf(limit, reading);
      const isAskDue = askAtMs !== null && askAtMs <= now;
      const isOptional = !deviceLimit.cutsFirst(operation);
      const cutAtMs = isAskDue && isOptional ? null : await leaveWithDevice(step, operation, now);
      await next(step, operation, Math.min(askAtMs === null || isAskDue ? stopAt : askAtMs, cutAtMs ?? stopAt));
      if (isAskDue) await requestReading(step, operation);
    },

    /** The device has stopped the power. */
    suspended: deviceLimit.suspended,

    /**
     * The device has reconnected. Work that became due while it was away waits until its queue had the time to arrive.
     */
    async deviceIsBack(step: Step, { id, limit, stopDueAt }: StoredOperation): Promise<void> {
      if (limit === null || stopDueAt === null) return;
      const now = clock.now().getTime();
      const isPassed = stopDueAt.getTime() <= now;
      await operations.change(step, id, {
        next_action_at: new Date(
          Math.min(now + back.askInMs, isPassed ? Number.POSITIVE_INFINITY : stopDueAt.getTime()),
        ),
        ...(isPassed ? { stop_due_at: new Date(now + back.stopInMs) } : {}),
      });
    },
  };
}

export type LimitWatch = ReturnType<typeof createLimitWatch>;
