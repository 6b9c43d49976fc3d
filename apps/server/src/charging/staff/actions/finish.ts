import { finishAction } from '@fpay/contract/admin/actions/finish';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { billFor } from '../../moves/bill.ts';
import { settledEnergy } from '../../moves/billed-energy.ts';
import { isPowerFlowing } from '../../operation.ts';
import { operationWork } from '../action.ts';
import { isFinal, remoteStop, type Subject, settleMoney, statusChange } from '../effect.ts';

/** A balance is settled in the same step; so is a payment that is over. */
const isSettledAtOnce = ({ payment }: Subject) => payment === null || payment.method === 'bonuses' || isFinal(payment);

export const finishWork = operationWork({
  record: finishAction,
  audited: 'finish',
  way: 'end',
  probe: { action: 'finish' },

  effect(subject) {
    const { operation, settled } = subject;
    if (!isPowerFlowing(operation.status)) return refusedEffect('action_not_applicable');
    const { total } = billFor(operation, settled);
    const isFree = operation.paymentType === 'free';
    const to =
      isFree || (total > 0 && isSettledAtOnce(subject)) ? 'finished' : total > 0 ? 'pending_final_payment' : 'failed';
    return {
      ...noEffect,
      operation: statusChange(operation.status, to),
      ...settleMoney(subject, total),
      energy: { from: operation.energy, to: settled },
      total: { from: operation.total, to: total },
      command: remoteStop,
    };
  },

  async work({ sendStop, settling }, step, locked) {
    await sendStop(step, locked);
    const energy = settledEnergy(locked.operation);
    await settling.end(step, locked.operation, { energy, cause: 'staff', reason: null });
  },
});
