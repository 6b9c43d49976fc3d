import { forceEnergyAction } from '@fpay/contract/admin/actions/force-energy';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { wattHours } from '@fpay/contract/money';
import { billFor } from '../../moves/bill.ts';
import { isPowerFlowing } from '../../operation.ts';
import { operationWork } from '../action.ts';
import { correctMoney, hasBill, hasNotBegun } from '../effect.ts';

export const forceEnergyWork = operationWork({
  record: forceEnergyAction,
  audited: 'force-energy',
  way: 'energy',
  probe: { action: 'force_energy', energy: wattHours(0) },
  requestOf: ({ energy, update_total }) => ({ action: 'force_energy', energy, update_total }),
  replyOf: ({ before, after, approval }) => ({
    energy: after.energy,
    total: after.total,
    change: after.total - before.total,
    approval_id: approval,
  }),

  effect(subject, { energy, update_total: updateTotal = false }) {
    const { operation } = subject;
    const { status } = operation;
    if (hasNotBegun(status)) return refusedEffect('action_not_applicable');
    const changed = { ...noEffect, energy: { from: operation.energy, to: energy } };
    if (!updateTotal) return changed;
    // The money of a charge that failed or was canceled has been returned: there is no total to correct.
    if (!isPowerFlowing(status) && !hasBill(status)) return refusedEffect('action_not_applicable');
    const { total } = billFor(operation, energy);
    const money = hasBill(status) ? correctMoney(subject, total) : {};
    return { ...changed, total: { from: operation.total, to: total }, ...money };
  },

  async work({ operations, payments }, step, { operation, payment, effect, why }, { energy }) {
    const bill = billFor(operation, energy);
    await operations.note(step, operation.id, 'staff', `${why}: ${operation.energy} → ${energy} Wh`);
    await operations.change(step, operation.id, {
      energy_wh: energy,
      ...(effect.total && { total: effect.total.to, real_total: bill.realTotal, idle_total: bill.idleTotal }),
    });
    const isSettled = operation.status === 'finished' || operation.status === 'pending_final_payment';
    if (!effect.total || !isSettled || payment === null || effect.total.to === operation.total) return;
    await payments.capture(step, payment.id, effect.total.to);
  },
});
