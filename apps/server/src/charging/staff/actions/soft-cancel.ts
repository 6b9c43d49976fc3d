import { softCancelAction } from '@fpay/contract/admin/actions/soft-cancel';
import { refusedEffect } from '@fpay/contract/admin/effect';
import { isPowerFlowing } from '../../operation.ts';
import { operationWork } from '../action.ts';
import { cancelEffect, hasNotBegun } from '../effect.ts';

export const softCancelWork = operationWork({
  record: softCancelAction,
  audited: 'soft-cancel',
  way: 'end',
  probe: { action: 'soft_cancel' },

  effect(subject) {
    const { status, energy } = subject.operation;
    // Staff can force a charge that is under way to a status before its start; its energy was delivered all the same.
    const isWithoutEnergy = energy === 0 && (hasNotBegun(status) || isPowerFlowing(status));
    return isWithoutEnergy ? cancelEffect(subject) : refusedEffect('action_not_applicable');
  },

  async work({ end, stopping }, step, locked) {
    if (isPowerFlowing(locked.operation.status)) return end(step, locked, 'canceled');
    return stopping.stop(step, locked.operation, 'staff', locked.why);
  },
});
