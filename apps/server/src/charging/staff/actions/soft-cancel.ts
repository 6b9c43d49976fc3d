import { softCancelAction } from '@fpay/contract/admin/actions/soft-cancel';
import { refusedEffect } from '@fpay/contract/admin/effect';
import { isPowerFlowing } from '../../operation.ts';
import { operationWork } from '../action.ts';
import { cancelEffect, hasNotBegun } from '../effect.ts';

export const softCancelWork = operationWork({
  record: softCancelAction,
  audited: 'soft-cancel',
  probe: { action: 'soft_cancel' },

  effect(subject) {
    const { status, energy } = subject.operation;
    const isWithoutEnergy = hasNotBegun(status) || (isPowerFlowing(status) && energy === 0);
    return isWithoutEnergy ? cancelEffect(subject) : refusedEffect('action_not_applicable');
  },

  async work({ end, stopping }, step, locked) {
    if (isPowerFlowing(locked.operation.status)) return end(step, locked, 'canceled');
    return stopping.stop(step, locked.operation, 'staff', locked.why);
  },
});
