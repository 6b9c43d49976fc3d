import { softStartAction } from '@fpay/contract/admin/actions/soft-start';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { operationWork } from '../action.ts';
import { remoteStart, statusChange } from '../effect.ts';

export const softStartWork = operationWork({
  record: softStartAction,
  audited: 'soft-start',
  way: 'end',
  probe: { action: 'soft_start' },

  effect({ operation: { status } }) {
    if (status !== 'pending' && status !== 'starting') return refusedEffect('action_not_applicable');
    return { ...noEffect, operation: statusChange(status, 'starting'), command: remoteStart };
  },

  async work({ starting, operations, clock }, step, { operation }) {
    if (operation.status === 'pending') return starting.begin(step, operation);
    // Due work sends the start that has no phase yet.
    return operations.change(step, operation.id, { start_phase: null, next_action_at: clock.now() });
  },
});
