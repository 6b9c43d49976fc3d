import type { Commands } from '../ocpp/commands/service.ts';
import { exactWithinMs } from '../ocpp/hooks.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import type { AskReading } from './ask-reading.ts';
import type { DeviceLimit } from './device-limit.ts';
import { lookAt, planOf, stopOf } from './reckoning.ts';
import type { Stopping } from './stopping.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  stopping: Pick<Stopping, 'stop'>;
  askReading: AskReading;
  deviceLimit: DeviceLimit;
  commands: Pick<Commands, 'isConnected'>;
  clock: Clock;
  wakeAt: (at: Date) => void;
}

/** A reading asked for later than this would come after the stop. */
const tooLateToAskMs = 400;
/** While the device is away nothing can be stopped; this is only the safety net under the hook of its return. */
const awayMs = 60_000;
/** A device that is back first sends what it kept: then it may be asked, and only after that it is stopped unheard. */
const back = { askInMs: 6_000, stopInMs: 12_000 };

/** After the start, when its answer has reached the device. */
const firstLookMs = 2_000;
/** A profile that could not be renewed is looked at again after this. */
const renewAgainMs = 6_000;
const oldMs = 15_000;

/** Watches over the limit of a running charge. Readings move the plan by themselves; this does what is due on the way. */
export function createLimitWatch(dependencies: Dependencies) {
  const { operations, stopping, askReading, deviceLimit, commands, clock, wakeAt } = dependencies;

  async function ratedW(step: Step, { connector }: Operation): Promise<number | null> {
    const query = step.db.selectFrom('connectors').select('power_w').where('id', '=', connector);
    return (await query.executeTakeFirst())?.power_w ?? null;
  }

  async function next(step: Step, { id }: Operation, dueAtMs: number): Promise<void> {
    const at = new Date(lookAt(dueAtMs, clock.now().getTime()));
    await operations.change(step, id, { next_action_at: at });
    wakeSoon(step, at);
  }

  function wakeSoon(step: Step, at: Date): void {
    if (at.getTime() - clock.now().getTime() <= exactWithinMs) step.afterCommit(() => wakeAt(at));
  }

  /** Sets or renews the device's own limit; gives when to look at it again. */
  async function leaveWithDevice(step: Step, operation: Operation, now: number): Promise<number | null> {
    const renewAtMs = deviceLimit.renewAtMs(operation);
    if (renewAtMs !== null && renewAtMs > now) return renewAtMs;
    const transaction = await operations.ocppTransaction(operation.id, step.db);
    if (!transaction || transaction.isStopped) return null;
    const cutAt = await deviceLimit.set(step, operation, transaction.id);
    const nextMs = deviceLimit.renewAtMs({ ...operation, deviceCutAt: cutAt });
    if (nextMs === null) return null;
    // Not renewed, because an old reading shows no more than when the profile was set.
    const isOld = now - (operation.meteredAt?.getTime() ?? 0) > oldMs;
    if (nextMs <= now && isOld) await askReading(step, operation);
    return Math.max(nextMs, now + renewAgainMs);
  }

  return {
    /** What is written together with the start: from here on rated power counts until a reading says otherwise. */
    async firstPlan(step: Step, operation: Operation, receivedAt: Date) {
      const reading = { energyWh: 0, powerW: null, ratedW: await ratedW(step, operation), receivedAt: +receivedAt };
      const { stopAt, nextAt } = stopOf(operation.limit, reading);
      if (stopAt === null || nextAt === null) return { metered_at: receivedAt, next_action_at: null };
      // The first look leaves the limit with the device, as soon as the device knows its transaction.
      const look = new Date(Math.min(nextAt, +receivedAt + firstLookMs));
      wakeSoon(step, look);
      return { metered_at: receivedAt, stop_due_at: new Date(stopAt), next_action_at: look };
    },

    /** Due while power flows: a reading is asked for, then the stop is sent. */
    async due(step: Step, operation: Operation): Promise<void> {
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
      if (isAskDue) await askReading(step, operation);
    },

    /** The device holds the power back. */
    suspended: deviceLimit.suspended,

    /** The device has connected again. What became due while it was away waits until its queue had the time to arrive. */
    async deviceIsBack(step: Step, { id, limit, stopDueAt }: Operation): Promise<void> {
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
