import type { Commands } from '../../ocpp/commands/service.ts';
import { exactTimerWithinMs } from '../../ocpp/device/charging-port.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { type ConnectorOfDevice, findConnector } from '../../stations/connectors.ts';
import type { Stopping } from '../moves/stopping.ts';
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

interface PlannedStart {
  limit: number | null;
  ratedW: number;
  receivedAt: Date;
  startedAt: Date;
}

/** A reading requested later than this would arrive after the stop. */
const tooLateToAskMs = 400;
/** While the device is away nothing can be stopped; this is only the fallback for the event of its reconnect. */
const awayMs = 60_000;
/**
 * A device that has reconnected and may be past its limit is asked for a reading at once, and stopped without one after this.
 */
const stopWithoutReadingMs = 2_000;
/** A stop that is nearer than this is planned again at once; otherwise the queue of the device comes first. */
const nearMs = 10_000;
const queueMs = 4_000;
/** A start that is this much older than its arrival has waited; a smaller difference may be an error of the clock. */
const queuedFromMs = 10_000;
/** An older start says no more about the limit. */
const longestQueueMs = 10 * 60_000;
/** How long the last power counts as the power of a device that is away. */
const powerCountsMs = 60_000;

/** The first check after the start, when the answer has reached the device. */
const firstLookMs = 2_000;
/** A profile that could not be renewed is checked again after this. */
const renewAgainMs = 6_000;
const oldMs = 15_000;

/** Watches the limit of a running charge. Readings update the plan by themselves; this runs what becomes due. */
export function createLimitWatch(dependencies: Dependencies) {
  const { operations, stopping, requestReading, deviceLimit, commands, clock, wakeAt } = dependencies;

  async function next(step: Step, { id }: StoredOperation, dueAtMs: number): Promise<void> {
    const at = new Date(lookAt(dueAtMs, clock.now().getTime()));
    await operations.change(step, id, { next_action_at: at });
    wakeSoon(step, at);
  }

  function wakeSoon(step: Step, at: Date): void {
    if (at.getTime() - clock.now().getTime() <= exactTimerWithinMs) step.afterCommit(() => wakeAt(at));
  }

  /** Sets or renews the device's own limit; returns when to check it again. */
  async function leaveWithDevice(
    step: Step,
    operation: StoredOperation,
    connector: ConnectorOfDevice,
    now: number,
  ): Promise<number | null> {
    const renewAtMs = deviceLimit.renewAtMs(operation);
    if (renewAtMs !== null && renewAtMs > now) return renewAtMs;
    const device = await deviceLimit.deviceWithProfiles(step, operation, connector);
    if (device === null) return null;
    const transaction = await transactionOfOperation(step.db, operation.id);
    if (!transaction || transaction.isStopped) return null;
    const cutAt = await deviceLimit.set(step, operation, transaction.id, device);
    const nextMs = deviceLimit.renewAtMs({ ...operation, deviceCutAt: cutAt });
    if (nextMs === null) return null;
    // Not renewed, because an old reading shows no more than when the profile was set.
    const isOld = now - (operation.meteredAt?.getTime() ?? 0) > oldMs;
    if (nextMs <= now && isOld) await requestReading(step, operation);
    return Math.max(nextMs, now + renewAgainMs);
  }

  /**
   * Written together with the start: from here on rated power is assumed until a reading arrives. A start that waited in
   * the queue of a device without a socket counts from its own time, because power has flowed since then.
   */
  function firstPlan(step: Step, { limit, ratedW, receivedAt, startedAt }: PlannedStart) {
    const waitedMs = Math.min(+receivedAt - +startedAt, longestQueueMs);
    const isQueued = waitedMs > queuedFromMs;
    const from = isQueued ? +receivedAt - waitedMs : +receivedAt;
    const { stopAt, nextAt } = stopOf(limit, { energyWh: 0, powerW: null, ratedW, receivedAt: from });
    if (stopAt === null || nextAt === null) return { metered_at: receivedAt, next_action_at: null };
    // It may be past its limit already, or take less than rated power: it is asked for a reading at once.
    if (isQueued && nextAt <= +receivedAt) {
      const stopBy = Math.max(stopAt, +receivedAt + stopWithoutReadingMs);
      wakeSoon(step, receivedAt);
      return { metered_at: new Date(from), stop_due_at: new Date(stopBy), next_action_at: receivedAt };
    }
    // The first check gives the limit to the device, as soon as the device knows its transaction.
    const look = new Date(Math.min(nextAt, +receivedAt + firstLookMs));
    wakeSoon(step, look);
    return { metered_at: receivedAt, stop_due_at: new Date(stopAt), next_action_at: look };
  }

  return {
    firstPlan,

    async firstPlanAt(step: Step, { limit, connector }: StoredOperation, receivedAt: Date, startedAt = receivedAt) {
      const { ratedW } = await findConnector(step.db, connector);
      return firstPlan(step, { limit, ratedW, receivedAt, startedAt });
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
      const connector = await findConnector(step.db, operation.connector);
      const reading = { energyWh: energy, powerW, ratedW: connector.ratedW, receivedAt: +meteredAt };
      const { askAtMs } = planOf(limit, reading);
      const isAskDue = askAtMs !== null && askAtMs <= now;
      const isOptional = !deviceLimit.cutsFirst(operation);
      const cutAtMs = isAskDue && isOptional ? null : await leaveWithDevice(step, operation, connector, now);
      await next(step, operation, Math.min(askAtMs === null || isAskDue ? stopAt : askAtMs, cutAtMs ?? stopAt));
      if (isAskDue) await requestReading(step, operation);
    },

    /** The device has stopped the power. */
    suspended: deviceLimit.suspended,

    /**
     * The device has reconnected, so the plan is decided again. A stop that became due while it was away is sent
     * when the power of the last reading has delivered the limit. When only rated power would have, the car may take less:
     * a reading is requested first.
     */
    async deviceIsBack(step: Step, operation: StoredOperation): Promise<void> {
      if (operation.limit === null || operation.stopDueAt === null) return;
      const now = clock.now();
      const stopInMs = operation.stopDueAt.getTime() - now.getTime();
      const isUnsure = stopInMs <= 0 && !hasReachedLimit(operation, now);
      await operations.change(step, operation.id, {
        next_action_at: new Date(now.getTime() + (stopInMs < nearMs ? 0 : queueMs)),
        ...(isUnsure ? { stop_due_at: new Date(now.getTime() + stopWithoutReadingMs) } : {}),
      });
    },
  };
}

function hasReachedLimit({ limit, energy, powerW, meteredAt }: StoredOperation, now: Date): boolean {
  if (limit === null || meteredAt === null || powerW === null) return false;
  const sinceMs = now.getTime() - meteredAt.getTime();
  return sinceMs <= powerCountsMs && energy + (powerW * sinceMs) / 3_600_000 >= limit;
}

export type LimitWatch = ReturnType<typeof createLimitWatch>;
