import { type WattHours, wattHours } from '@fpay/contract/money';
import { realTotalOf, totalOf } from '@fpay/contract/price';
import type { PaymentService } from '../payments/service.ts';
import type { Payment } from '../payments/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import type { LateEnergy } from './late-energy.ts';
import type { Moves } from './moves.ts';
import { isCharging } from './operation.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  payments: PaymentService;
  /** Promotions that thank for a finished charge. */
  reward: (step: Step, operation: Operation) => Promise<void>;
  lateEnergy: LateEnergy;
  clock: Clock;
}

export interface End {
  energy: WattHours;
  /** driver, staff, rfid, car, station, limit or watchdog; whoever had asked for the end before stays its cause. */
  cause: string;
  /** The device's own word; null when we closed it ourselves. */
  reason: string | null;
}

/** From the last reading to settled money. */
export function createSettling({ operations, moves, payments, reward, lateEnergy, clock }: Dependencies) {
  async function finish(step: Step, operation: Operation, why: string): Promise<void> {
    const finished = await moves.move(step, operation, { event: 'settled', actor: 'system', why });
    if (finished) await reward(step, finished);
  }

  /** Staff may force a payment's status without moving money; then only the sums show what is missing. */
  function lossOf({ total }: Operation, { isOverridden, captured, refunded, lost }: Payment) {
    return { lost: isOverridden ? Math.max(0, total - (captured - refunded)) : lost };
  }

  return {
    /** Power has stopped: the total stands, and the money follows it. */
    async end(step: Step, operation: Operation, { energy, cause: lastCause, reason }: End): Promise<void> {
      const cause = operation.stopCause ?? lastCause;
      const total = totalOf(energy, operation.price, operation.deposit);
      const stopped = await operations.change(step, operation.id, {
        energy_wh: energy,
        total,
        real_total: realTotalOf(energy, operation.price),
        power_w: null,
        current_ma: null,
        stop_cause: cause,
        stop_reason: reason,
        stop_due_at: null,
        next_action_at: null,
        finished_at: clock.now(),
      });
      const why = `stopped by ${cause}${reason ? ` (${reason})` : ''} at ${energy} Wh, total ${total}`;
      if (operation.paymentType === 'free') return finish(step, stopped, why);

      const payment = await payments.ofOperation(operation.id, step.db);
      if (total === 0) {
        await moves.move(step, stopped, { event: 'nothingDelivered', actor: 'station', why });
        if (payment) await payments.release(step, payment.id);
        return;
      }
      await moves.move(step, stopped, { event: 'captureDue', actor: 'station', why });
      // From the balance this settles at once, and `paid` below finishes the operation within this very step.
      if (payment) await payments.capture(step, payment.id, total);
    },

    /** The money is where it belongs, or will never be: either way the operation is over. */
    async paid(step: Step, operation: Operation, payment: Payment): Promise<void> {
      // The operation's total decides. What was captured may differ, because the bank or staff captured another sum.
      const settled = await payments.settle(step, payment, operation.total);
      const { lost } = lossOf(operation, settled);
      const left = await operations.change(step, operation.id, { lost });
      await finish(step, left, lost > 0 ? `${lost} kopecks could not be captured` : 'paid');
    },

    /** The payment of a finished operation changed: a corrected total or a refused refund may change what is lost. */
    async recounted(step: Step, operation: Operation, payment: Payment): Promise<void> {
      await operations.change(step, operation.id, lossOf(operation, payment));
    },

    /** A stop that comes after we have closed the operation ourselves: its meter reading counts, within the deposit. */
    async correct(step: Step, operation: Operation, transaction: number, energy: WattHours): Promise<void> {
      if (isCharging(operation.status)) return;
      // It had failed for want of energy, and everything was returned.
      if (operation.status !== 'finished' && operation.status !== 'pending_final_payment')
        return lateEnergy(step, operation, transaction, energy);
      const total = totalOf(energy, operation.price, operation.deposit);
      await operations.note(
        step,
        operation.id,
        'station',
        `late stop: ${operation.energy} → ${energy} Wh, ${operation.total} → ${total}`,
      );
      await operations.change(step, operation.id, {
        energy_wh: energy,
        real_total: realTotalOf(energy, operation.price),
        total,
      });
      // The same total moves no money: what staff refunded in the meantime stays refunded and is no loss.
      if (total === operation.total) return;
      const payment = await payments.ofOperation(operation.id, step.db);
      if (payment) await payments.capture(step, payment.id, total);
    },

    energyOf: (meterWh: number, startWh: number) => wattHours(Math.max(0, meterWh - startWh)),
  };
}

export type Settling = ReturnType<typeof createSettling>;
