import { forceStatusAction } from '@fpay/contract/admin/actions/force-status';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { isOpen, type OperationStatus } from '@fpay/contract/charging';
import { billFor } from '../../moves/bill.ts';
import { isPowerFlowing } from '../../operation.ts';
import { operationWork } from '../action.ts';
import { hasBill, isFinal, releaseMoney, remoteStart, remoteStop, settleMoney, statusChange } from '../effect.ts';

export const forceStatusWork = operationWork({
  record: forceStatusAction,
  audited: 'force-status',
  way: 'end',
  probe: { action: 'force_status', status: 'failed' },
  // A status can always be forced to another one.
  isAlwaysOffered: true,
  requestOf: ({ status }) => ({ action: 'force_status', status }),

  effect(subject, { status: to }) {
    const { operation, settled, payment, isConnectorTaken } = subject;
    const from = operation.status;
    if (from === to) return refusedEffect('action_not_applicable');
    const moved = { ...noEffect, operation: statusChange(from, to) };
    const command = isPowerFlowing(from) && !isPowerFlowing(to) ? remoteStop : null;
    if (to === 'canceled' || to === 'failed' || to === 'failed_hold')
      return { ...moved, ...releaseMoney(subject), command };
    if (to === 'pending_final_payment') {
      // There is nothing to wait for, and no event would ever end the wait.
      if (payment === null) return refusedEffect('payment_not_held');
      if (isFinal(payment)) return refusedEffect('payment_final');
    }
    if (hasBill(to)) {
      const { total } = billFor(operation, settled);
      if (payment !== null && !isFinal(payment) && payment.state !== 'hold' && total > 0)
        return refusedEffect('payment_not_held');
      const totals = { energy: { from: operation.energy, to: settled }, total: { from: operation.total, to: total } };
      return { ...moved, ...settleMoney(subject, total), ...totals, command };
    }
    if (!isOpen(from)) {
      if (isFinal(payment)) return refusedEffect('payment_final');
      if (isConnectorTaken) return refusedEffect('connector_taken');
    }
    const commands: Partial<Record<OperationStatus, string>> = {
      pending: remoteStart,
      starting: remoteStart,
      finishing: remoteStop,
    };
    return { ...moved, command: commands[to] ?? null };
  },

  async work({ end, reopen, stopping }, step, locked, { status }) {
    if (!isOpen(status)) return end(step, locked, status);
    if (status === 'finishing' && locked.operation.status === 'ongoing')
      return stopping.stop(step, locked.operation, 'staff', locked.why);
    return reopen(step, locked, status);
  },
});
