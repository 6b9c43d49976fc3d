import { billedStatuses, isAmong } from '@fpay/contract/charging';
import { type WattHours, wattHours } from '@fpay/contract/money';
import type { Payment } from '../../payments/payment-row.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { billFor } from './bill.ts';
import type { Transitions } from './transition.ts';
import type { UnbilledEnergy } from './unbilled-energy.ts';

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  payments: PaymentService;
  /** Credits promotion rewards for a finished charge. */
  reward: (step: Step, operation: StoredOperation) => Promise<void>;
  unbilledEnergy: Pick<UnbilledEnergy, 'ofOperation'>;
  clock: Clock;
}

export interface End {
  /** What is billed. */
  energy: WattHours;
  /** What the device delivered, when that is more. */
  delivered?: WattHours;
  /** driver, staff, rfid, car, station, limit or watchdog. A cause that was set earlier stays. */
  cause: string;
  /** The device's reason; null when we closed the charge ourselves. */
  reason: string | null;
}

/** From the last reading to settled money. */
export function createSettling({ operations, transitions, payments, reward, unbilledEnergy, clock }: Dependencies) {
  async function finish(step: Step, operation: StoredOperation, why: string): Promise<void> {
    const finished = await transitions.move(step, operation, { event: 'settled', actor: 'system', why });
    if (finished) await reward(step, finished);
  }

  /** What the end of power changes in the row. */
  function endOf(operation: StoredOperation, energy: WattHours, { cause, reason }: Omit<End, 'energy'>) {
    const { total, realTotal, idleTotal } = billFor(operation, energy);
    return {
      energy_wh: energy,
      total,
      real_total: realTotal,
      idle_total: idleTotal,
      power_w: null,
      current_ma: null,
      stop_cause: cause,
      // Whatever ends the wait for the plug, the device has already given its reason.
      stop_reason: reason ?? (operation.chargeEndedAt === null ? null : operation.stopReason),
      stop_due_at: null,
      next_action_at: null,
    };
  }

  return {
    /** Power has stopped: the total is final, and the payment follows it. */
    async end(
      step: Step,
      operation: StoredOperation,
      { energy, delivered, cause: lastCause, reason }: End,
    ): Promise<void> {
      const cause = operation.stopCause ?? lastCause;
      const { total, idleTotal } = billFor(operation, energy);
      const stopped = await operations.change(step, operation.id, {
        ...endOf(operation, energy, { cause, reason }),
        finished_at: operation.chargeEndedAt ?? clock.now(),
        charge_ended_at: null,
      });
      await unbilledEnergy.ofOperation(step, stopped, { delivered: delivered ?? energy, billed: energy });
      const idle = idleTotal > 0 ? ` with ${idleTotal} for idle time` : '';
      const why = `stopped by ${cause}${reason ? ` (${reason})` : ''} at ${energy} Wh, total ${total}${idle}`;
      if (operation.paymentType === 'free') return finish(step, stopped, why);

      const payment = await payments.ofOperation(operation.id, step.db);
      if (total === 0) {
        await transitions.move(step, stopped, { event: 'nothingDelivered', actor: 'station', why });
        if (payment) await payments.release(step, payment.id);
        return;
      }
      await transitions.move(step, stopped, { event: 'captureDue', actor: 'station', why });
      // A payment from the balance is settled at once, and `paid` below finishes the operation within the same step.
      if (payment) await payments.capture(step, payment.id, total);
    },

    /**
     * Power has stopped and the cable may still be in: the energy is final, and the money is settled when the idle time
     * is over. A hold can be captured only once, so it waits for both.
     */
    async waitForUnplug(
      step: Step,
      operation: StoredOperation,
      { energy, cause: lastCause, reason }: End,
    ): Promise<void> {
      const cause = operation.stopCause ?? lastCause;
      const endedAt = operation.chargeEndedAt ?? clock.now();
      await transitions.move(step, operation, {
        event: 'unplugAwaited',
        actor: 'station',
        why: `stopped by ${cause} at ${energy} Wh, the cable may still be in`,
        changes: { ...endOf(operation, energy, { cause, reason }), finished_at: endedAt, charge_ended_at: endedAt },
      });
    },

    /** The money is settled, or never will be; in both cases the operation has ended. */
    async paid(step: Step, operation: StoredOperation, payment: Payment): Promise<void> {
      // The operation's total decides. The captured sum may differ, because the bank or staff captured another one.
      const settled = await payments.settle(step, payment, operation.total);
      const { lost } = settled;
      const left = await operations.change(step, operation.id, { lost });
      await finish(step, left, lost > 0 ? `${lost} kopecks could not be captured` : 'paid');
    },

    /**
     * The payment of a finished operation changed: a corrected total or a refused refund may change the loss. Staff may have taken the
     * hold away before its capture was done, or captured less than the charge costs; then it is settled again.
     */
    async recounted(step: Step, operation: StoredOperation, payment: Payment): Promise<void> {
      const isCapturedBelow = payment.wanted === 'capture' && (payment.total ?? 0) < operation.total;
      const pays = payment.captured > 0 && !isCapturedBelow;
      const { lost } = await payments[pays ? 'recount' : 'settle'](step, payment, operation.total);
      await operations.change(step, operation.id, { lost });
    },

    /**
     * A stop that arrives after we have closed the operation ourselves: its meter reading counts, within the deposit.
     */
    async correct(step: Step, operation: StoredOperation, energy: WattHours, delivered: WattHours): Promise<void> {
      if (isPowerFlowing(operation.status)) return;
      // It had failed because no energy flowed, and everything was returned.
      if (!isAmong(billedStatuses, operation.status))
        return unbilledEnergy.ofOperation(step, operation, { delivered, billed: wattHours(0) });
      const { total, realTotal, idleTotal } = billFor(operation, energy);
      await operations.note(
        step,
        operation.id,
        'station',
        `late stop: ${operation.energy} → ${energy} Wh, ${operation.total} → ${total}`,
      );
      await operations.change(step, operation.id, {
        energy_wh: energy,
        real_total: realTotal,
        total,
        idle_total: idleTotal,
      });
      await unbilledEnergy.ofOperation(step, operation, { delivered, billed: energy });
      // The same total moves no money: what staff refunded in the meantime stays refunded and is no loss.
      if (total === operation.total) return;
      const payment = await payments.ofOperation(operation.id, step.db);
      if (payment) await payments.capture(step, payment.id, total);
    },
  };
}

export type Settling = ReturnType<typeof createSettling>;
