import { billOf, idleFeeFor } from '@fpay/contract/idle-fee';
import { type WattHours, wattHours } from '@fpay/contract/money';
import type { Commands } from '../../ocpp/commands/service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DueKind, DueWork } from '../../platform/jobs/due-work.ts';
import type { Step } from '../../platform/step.ts';
import { reportedStatusOf } from '../../stations/connectors.ts';
import { billFor } from '../moves/bill.ts';
import type { End, Settling } from '../moves/settling.ts';
import type { Stopping } from '../moves/stopping.ts';
import type { Notify } from '../notify.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { mayWaitForUnplug, whyWaitIsOver } from './after-end.ts';
import { createIdleIntervals } from './interval-store.ts';
import { type IdleFacts, type IdleInterval, idleSecondsOf, observeIdle, standbyW } from './observed-time.ts';

/** Observes the idle time of operations whose tariff has a fee for it (docs/charging.md, decision 26). */
export interface IdleWatch {
  /** The connector reports that its car takes nothing: its operation is looked at from now on. */
  begin(step: Step, connector: number): Promise<void>;
  /** StopTransaction arrived. True when the settlement waits for the plug; then the watch settles it. */
  waits(step: Step, operation: StoredOperation, end: End): Promise<boolean>;
  /** Another charge begins at the connector, so the cable of the one before it is out. */
  releaseConnector(step: Step, connector: number): Promise<void>;
  due: Extract<DueKind, { name: 'idle-watch' }>;
}

interface Dependencies {
  operations: OperationStore;
  settling: Pick<Settling, 'end'>;
  stopping: Pick<Stopping, 'stop'>;
  commands: Pick<Commands, 'connection'>;
  notify: Notify;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
  /** How long a socket may be silent before it is given up. */
  silenceMs: number;
}

/** Idle time is exact to this; the driver's receipt comes this long after the plug at most. */
const lookEveryMs = 5_000;

export function createIdleWatch(dependencies: Dependencies): IdleWatch {
  const { operations, settling, stopping, commands, notify, dueWork, clock, silenceMs } = dependencies;
  const intervals = createIdleIntervals();

  /** The fee is worth a wait only while the deposit can pay for a minute. */
  function hasRoom(operation: StoredOperation, energy: WattHours): boolean {
    const { idleFee, deposit } = operation;
    const { energyTotal, total } = billFor(operation, energy);
    return idleFee > 0 && energyTotal > 0 && deposit - total >= idleFee;
  }

  /** A row that exists is looked at every few seconds, so it is left alone: it may be locked by a look that waits for us. */
  async function watch(step: Step, operation: number): Promise<void> {
    await step.db
      .insertInto('idle_watches')
      .values({ id: operation, next_action_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    step.afterCommit(() => dueWork.wake('idle-watch'));
  }

  async function factsOf(step: Step, operation: StoredOperation): Promise<IdleFacts> {
    const { chargeEndedAt: endedAt, energy, powerW, meteredAt, chargePoint, connector } = operation;
    // A stop that the station has not obeyed yet is not the driver's fault.
    const isStopping = endedAt === null && operation.status !== 'ongoing';
    const { status, statusAt } = isStopping
      ? { status: null, statusAt: null }
      : await reportedStatusOf(step, connector);
    return {
      now: clock.now(),
      phase: endedAt === null ? 'charging' : 'ended',
      endedAt,
      hasEnergy: energy > 0,
      hasPower: (powerW ?? 0) > standbyW && meteredAt !== null && statusAt !== null && meteredAt > statusAt,
      silenceMs,
      status,
      statusAt,
      ...(await commands.connection(step, chargePoint)),
    };
  }

  /** Writes what was observed, and what it costs. */
  async function observe(step: Step, operation: StoredOperation, facts: IdleFacts) {
    const known = await intervals.of(step, operation.id);
    const seen = observeIdle(facts, known.open);
    await intervals.write(step, operation.id, seen);
    const all = [...known.closed, ...(seen.closed ? [seen.closed] : []), ...(seen.open ? [seen.open] : [])];
    const { idleFee, idleGraceMinutes, energy, price, deposit } = operation;
    const seconds = idleSecondsOf(all);
    const idle = { price, deposit, idleFee: idleFeeFor(seconds, idleFee, idleGraceMinutes) };
    const { total, realTotal, idleTotal } = billOf(idle, energy);
    const isShown =
      idleTotal !== operation.idleTotal || (known.open === null) !== (seen.open === null) || !!seen.closed;
    const columns = { idle_seconds: seconds, idle_total: idleTotal, total, real_total: realTotal };
    const after = isShown
      ? await operations.change(step, operation.id, columns)
      : await writeSeconds(step, operation, seconds);
    if (known.open === null && seen.open !== null)
      await operations.note(step, operation.id, 'station', `idle: ${noteOf[seen.open.cause]}`);
    if (seen.closed) await operations.note(step, operation.id, 'station', `idle time paused at ${seconds} s`);
    if (seen.open) await warn(step, after, { isNew: known.open === null, secondsBefore: operation.idleSeconds });
    return { after, all, isOpen: seen.open !== null, lastIdleAt: lastOf(all) };
  }

  /** Pages count seconds themselves, so nothing is published. */
  async function writeSeconds(step: Step, operation: StoredOperation, seconds: number): Promise<StoredOperation> {
    if (seconds !== operation.idleSeconds)
      await step.db.updateTable('operations').set({ idle_seconds: seconds }).where('id', '=', operation.id).execute();
    return { ...operation, idleSeconds: seconds };
  }

  /** At the beginning of the grace time and at its end; each notice is sent once for an operation. */
  async function warn(
    step: Step,
    { id, user, idleSeconds, idleGraceMinutes }: StoredOperation,
    { isNew, secondsBefore }: { isNew: boolean; secondsBefore: number },
  ): Promise<void> {
    const graceSeconds = idleGraceMinutes * 60;
    if (isNew && idleSeconds < graceSeconds) await notify(step, user, 'idle_grace', { operation: id });
    if (idleSeconds >= graceSeconds && (isNew || secondsBefore < graceSeconds))
      await notify(step, user, 'idle_fee', { operation: id });
  }

  /**
   * Whether the fee has taken the rest of the deposit. A device may be silent for a while before that is noticed, so
   * the last minutes count only when they are older than that.
   */
  function isUsedUp(operation: StoredOperation, all: readonly IdleInterval[], now: Date): boolean {
    const { total, deposit, idleFee, idleGraceMinutes, idleTotal } = operation;
    const provenSeconds = idleSecondsOf(all, new Date(now.getTime() - silenceMs));
    return total >= deposit && idleFeeFor(provenSeconds, idleFee, idleGraceMinutes) >= idleTotal;
  }

  async function settle(step: Step, operation: StoredOperation, why: string): Promise<void> {
    await operations.note(step, operation.id, 'system', `the idle time is over: ${why}`);
    await closeInterval(step, operation.id);
    const { energy, stopCause, stopReason: reason } = operation;
    await settling.end(step, operation, { energy: wattHours(energy), cause: stopCause ?? 'station', reason });
  }

  const closeInterval = (step: Step, operation: number) =>
    step.db
      .updateTable('idle_intervals')
      .set({ is_open: false })
      .where('operation_id', '=', operation)
      .where('is_open', '=', true)
      .execute();

  /** Whether it is looked at again. */
  async function look(step: Step, operation: StoredOperation): Promise<boolean> {
    const facts = await factsOf(step, operation);
    const { after, all, isOpen, lastIdleAt } = await observe(step, operation, facts);
    const isFull = isUsedUp(after, all, facts.now);
    if (after.chargeEndedAt === null) {
      if (isFull && after.status === 'ongoing' && isOpen)
        await stopping.stop(step, after, 'limit', 'idle time has used up the deposit');
      return true;
    }
    const why = isFull
      ? 'the deposit is used up'
      : whyWaitIsOver({ ...facts, endedAt: after.chargeEndedAt, lastIdleAt });
    if (why !== null) await settle(step, after, why);
    return why === null;
  }

  return {
    async begin(step, connector) {
      const found = await step.db
        .selectFrom('operations')
        .select('id')
        .where('connector_id', '=', connector)
        .where('status', '=', 'ongoing')
        .where('idle_fee', '>', 0)
        .executeTakeFirst();
      if (found) await watch(step, found.id);
    },

    async waits(step, operation, { energy, reason }) {
      if (!hasRoom(operation, energy)) return false;
      const { status } = await reportedStatusOf(step, operation.connector);
      if (!mayWaitForUnplug({ reason: reason ?? '', status })) return false;
      await watch(step, operation.id);
      return true;
    },

    async releaseConnector(step, connector) {
      const waiting = await step.db
        .selectFrom('operations')
        .select('id')
        .where('connector_id', '=', connector)
        .where('status', '=', 'finishing')
        .where('charge_ended_at', 'is not', null)
        .executeTakeFirst();
      const operation = waiting && (await operations.lock(step, waiting.id));
      if (operation?.chargeEndedAt) await settle(step, operation, 'another charge begins at the connector');
    },

    due: {
      name: 'idle-watch',
      table: 'idle_watches',
      async act(step, id) {
        const operation = await operations.lock(step, id);
        const isWatched = operation !== null && isPowerFlowing(operation.status);
        if (!isWatched) await closeInterval(step, id);
        const goesOn = isWatched && (await look(step, operation));
        const next_action_at = goesOn ? new Date(clock.now().getTime() + lookEveryMs) : null;
        await step.db.updateTable('idle_watches').set({ next_action_at }).where('id', '=', id).execute();
      },
    },
  };
}

const noteOf = { full: 'the car takes nothing', plugged_in: 'the cable is still in' } as const;

const lastOf = (all: readonly IdleInterval[]): Date | null =>
  all.reduce<Date | null>((last, { seenAt }) => (last === null || seenAt > last ? seenAt : last), null);
