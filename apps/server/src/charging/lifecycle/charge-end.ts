import { billedStatuses, isAmong } from '@fpay/contract/charging';
import { type WattHours, wattHours } from '@fpay/contract/money';
import type { EndedTransaction } from '../../ocpp/transactions/charging-port.ts';
import { refusedTagOf } from '../../ocpp/transactions/find-transaction.ts';
import { closeOnLastReading } from '../../ocpp/transactions/transaction-close.ts';
import type { Step } from '../../platform/step.ts';
import type { IdleWatch } from '../idle/idle-watch.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { billedEnergy, settledEnergy } from './billed-energy.ts';
import type { LateEnergy } from './late-energy.ts';
import type { Settling } from './settling.ts';

interface Dependencies {
  operations: OperationStore;
  settling: Settling;
  idleWatch: Pick<IdleWatch, 'waits'>;
  lateEnergy: LateEnergy;
  /** Credits promotion rewards for a finished charge, each once per operation. */
  reward: (step: Step, operation: StoredOperation) => Promise<void>;
}

/** Why it stopped, when the stop was not requested by us: the device's reasons and ours. */
const causeOfReason: Record<string, string> = { EVDisconnected: 'car', Local: 'station', Remote: 'staff' };

/**
 * The end of a charge, by the device's StopTransaction or without it: what is billed, and what is the operator's loss.
 */
export function createChargeEnd({ operations, settling, idleWatch, lateEnergy, reward }: Dependencies) {
  async function causeOf(step: Step, operation: StoredOperation, { reason }: EndedTransaction) {
    const row = await step.db
      .selectFrom('operations')
      .select('source')
      .where('id', '=', operation.id)
      .executeTakeFirstOrThrow();
    const own = reason === 'Local' && row.source === 'rfid' ? 'rfid' : (causeOfReason[reason] ?? 'station');
    return { cause: own, reason };
  }

  /**
   * A charge that was answered `Invalid` because its operation had ended. Charges of unknown cards belong to no
   * operation.
   */
  async function afterTheEnd(step: Step, ocppTransaction: number, energy: WattHours): Promise<void> {
    const idTag = await refusedTagOf(step, ocppTransaction);
    const operation = idTag === null ? null : await operations.lockByTag(step, idTag);
    if (operation) await lateEnergy(step, operation, ocppTransaction, energy);
  }

  async function bookUnbilled(step: Step, operation: StoredOperation, ocppTransaction: number, unbilledWh: number) {
    if (unbilledWh > 0) await lateEnergy(step, operation, ocppTransaction, wattHours(unbilledWh));
  }

  async function correct(
    step: Step,
    operation: StoredOperation,
    ocppTransaction: number,
    billed: WattHours,
  ): Promise<void> {
    await settling.correct(step, operation, ocppTransaction, billed);
    const corrected = await operations.lock(step, operation.id);
    // The late stop may have raised it above the threshold of a promotion.
    if (corrected?.status === 'finished' && corrected.energy > operation.energy) await reward(step, corrected);
  }

  return {
    async ended(step: Step, session: EndedTransaction): Promise<void> {
      const { ocppTransactionId: transaction, operationId, billedAt } = session;
      const energy = wattHours(session.energyWh);
      if (operationId === null) return afterTheEnd(step, transaction, energy);
      const operation = await operations.lock(step, operationId);
      if (!operation) return;
      const hasBill = isAmong(billedStatuses, operation.status);
      if (!hasBill && !isPowerFlowing(operation.status)) return settling.correct(step, operation, transaction, energy);
      if (hasBill) {
        const billed = billedEnergy(operation, energy, billedAt);
        await correct(step, operation, transaction, billed);
        return bookUnbilled(step, operation, transaction, energy - billed);
      }
      // A charge that was reported again may have more readings under its former id.
      const delivered = wattHours(Math.max(energy, operation.energy));
      const billed = billedEnergy(operation, delivered, billedAt);
      const end = { energy: billed, ...(await causeOf(step, operation, session)) };
      if (await idleWatch.waits(step, operation, end)) await settling.waitForUnplug(step, operation, end);
      else await settling.end(step, operation, end);
      await bookUnbilled(step, operation, transaction, delivered - billed);
    },

    /**
     * The device will not report the end, so the last reading counts. A StopTransaction that still arrives corrects it.
     */
    async close(step: Step, ocppTransaction: number, at: Date): Promise<void> {
      const closed = await closeOnLastReading(step, ocppTransaction, { reason: 'Other', at });
      if (!closed) return;
      const { operationId, energyWh } = closed;
      if (operationId === null) return afterTheEnd(step, ocppTransaction, wattHours(energyWh));
      const operation = await operations.lock(step, operationId);
      if (!operation) return;
      const hasBill = isAmong(billedStatuses, operation.status);
      const billed = isPowerFlowing(operation.status) ? settledEnergy(operation) : hasBill ? operation.energy : 0;
      if (isPowerFlowing(operation.status))
        await settling.end(step, operation, { energy: wattHours(billed), cause: 'station', reason: null });
      await bookUnbilled(step, operation, ocppTransaction, energyWh - billed);
    },
  };
}

export type ChargeEnd = ReturnType<typeof createChargeEnd>;
