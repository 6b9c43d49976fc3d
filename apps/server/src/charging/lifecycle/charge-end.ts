import { billedStatuses, isAmong } from '@fpay/contract/charging';
import { type WattHours, wattHours } from '@fpay/contract/money';
import type { Wishes } from '../../ocpp/commands/wishes.ts';
import type { EndedTransaction } from '../../ocpp/device/charging-port.ts';
import { type Closed, closeOnLastReading, lockRunning } from '../../ocpp/transactions/transaction-close.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import type { IdleWatch } from '../idle/idle-watch.ts';
import { billedEnergy, settledEnergy } from '../moves/billed-energy.ts';
import type { Settling } from '../moves/settling.ts';
import type { Transitions } from '../moves/transition.ts';
import type { UnbilledEnergy } from '../moves/unbilled-energy.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  settling: Settling;
  transitions: Pick<Transitions, 'move'>;
  idleWatch: Pick<IdleWatch, 'waits'>;
  unbilledEnergy: UnbilledEnergy;
  wishes: Pick<Wishes, 'forget'>;
  clock: Clock;
  /** Credits promotion rewards for a finished charge, each once per operation. */
  reward: (step: Step, operation: StoredOperation) => Promise<void>;
}

/** Why it stopped, when the stop was not requested by us: the device's reasons and ours. */
const causeOfReason: Record<string, string> = { EVDisconnected: 'car', Local: 'station', Remote: 'staff' };

/**
 * The end of a charge, by the device's StopTransaction or without it: what is billed, and what is the operator's loss.
 */
export function createChargeEnd({
  operations,
  settling,
  transitions,
  idleWatch,
  unbilledEnergy,
  wishes,
  reward,
  clock,
}: Dependencies) {
  async function causeOf(step: Step, operation: StoredOperation, { reason }: EndedTransaction) {
    const row = await step.db
      .selectFrom('operations')
      .select('source')
      .where('id', '=', operation.id)
      .executeTakeFirstOrThrow();
    const own = reason === 'Local' && row.source === 'rfid' ? 'rfid' : (causeOfReason[reason] ?? 'station');
    return { cause: own, reason };
  }

  /** Staff forced a charge that is under way to a status before its start: what the device reports of it is a fact. */
  async function underWay(step: Step, id: number): Promise<StoredOperation | null> {
    const operation = await operations.lock(step, id);
    if (!operation || !isAmong(['created', 'pending', 'starting'], operation.status)) return operation;
    const why = 'the station reports the end of a charge that is under way';
    const changes = { started_at: operation.startedAt ?? clock.now() };
    return transitions.move(step, operation, { event: 'chargeReported', actor: 'station', why, changes });
  }

  /** The transaction has ended. A charge that its car or its station ended had no stop from us. */
  async function forgetStop(step: Step, transaction: number, operation: StoredOperation | null): Promise<void> {
    if (operation?.status === 'ongoing') return;
    await wishes.forget(step, { kind: 'stop', subject: transaction });
  }

  async function correct(
    step: Step,
    operation: StoredOperation,
    billed: WattHours,
    delivered: WattHours,
  ): Promise<void> {
    await settling.correct(step, operation, billed, delivered);
    const corrected = await operations.lock(step, operation.id);
    // The late stop may have raised it above the threshold of a promotion.
    if (corrected?.status === 'finished' && corrected.energy > operation.energy) await reward(step, corrected);
  }

  async function book(
    step: Step,
    ocppTransaction: number,
    { operationId, connectorId: connector, energyWh }: Closed,
    whileOpen: ((operation: StoredOperation, delivered: WattHours) => Promise<void>) | null,
  ): Promise<void> {
    const energy = wattHours(energyWh);
    const isRunning = whileOpen === null;
    if (operationId === null) return unbilledEnergy.ofStray(step, { ocppTransaction, connector, energy, isRunning });
    const operation = await underWay(step, operationId);
    if (!operation) return;
    if (isPowerFlowing(operation.status)) return whileOpen?.(operation, energy);
    const billed = isAmong(billedStatuses, operation.status) ? operation.energy : wattHours(0);
    await unbilledEnergy.ofOperation(step, operation, { delivered: energy, billed, isRunning });
  }

  return {
    async ended(step: Step, transaction: EndedTransaction): Promise<void> {
      const { ocppTransactionId, connectorId, operationId, billedAt } = transaction;
      const energy = wattHours(transaction.energyWh);
      if (operationId === null) {
        await forgetStop(step, ocppTransactionId, null);
        return unbilledEnergy.ofStray(step, { ocppTransaction: ocppTransactionId, connector: connectorId, energy });
      }
      const operation = await underWay(step, operationId);
      if (!operation) return;
      await forgetStop(step, ocppTransactionId, operation);
      const hasBill = isAmong(billedStatuses, operation.status);
      if (!hasBill && !isPowerFlowing(operation.status)) return settling.correct(step, operation, energy, energy);
      if (hasBill) {
        return correct(step, operation, billedEnergy(operation, energy, billedAt), energy);
      }
      // A charge that was reported again may have more readings under its former id.
      const delivered = wattHours(Math.max(energy, operation.energy));
      const billed = billedEnergy(operation, delivered, billedAt);
      const end = { energy: billed, delivered, ...(await causeOf(step, operation, transaction)) };
      if (await idleWatch.waits(step, operation, end)) await settling.waitForUnplug(step, operation, end);
      else await settling.end(step, operation, end);
    },

    /**
     * The device will not report the end, so the last reading counts. A StopTransaction that still arrives corrects it.
     */
    async close(step: Step, ocppTransaction: number, at: Date): Promise<void> {
      const closed = await closeOnLastReading(step, ocppTransaction, { reason: 'Other', at });
      if (!closed) return;
      await book(step, ocppTransaction, closed, async (operation, delivered) => {
        const energy = settledEnergy(operation);
        await settling.end(step, operation, { energy, delivered, cause: 'station', reason: null });
      });
      await forgetStop(step, ocppTransaction, null);
    },

    /** A charge that goes on although its operation has ended, or that has none: what it has delivered until now. */
    async bookRunning(step: Step, ocppTransaction: number): Promise<void> {
      const running = await lockRunning(step, ocppTransaction);
      if (running) await book(step, ocppTransaction, running, null);
    },
  };
}

export type ChargeEnd = ReturnType<typeof createChargeEnd>;
