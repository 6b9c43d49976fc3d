import { softStopAction } from '@fpay/contract/admin/actions/soft-stop';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { operationWork } from '../action.ts';
import { cancelEffect, hasNotBegun, remoteStop, statusChange } from '../effect.ts';

export const softStopWork = operationWork({
  record: softStopAction,
  audited: 'stop',
  way: 'end',
  probe: { action: 'soft_stop' },
  // A stop that comes too late has nothing to do, which is no fault of the caller.
  isRefusedByEffect: false,
  why: (staff) => `staff ${staff} asked for the end`,

  effect(subject) {
    const { status } = subject.operation;
    if (hasNotBegun(status)) return cancelEffect(subject);
    if (status !== 'ongoing') return refusedEffect('action_not_applicable');
    return { ...noEffect, operation: statusChange('ongoing', 'finishing'), command: remoteStop };
  },

  work: ({ stopping }, step, { operation, why }) => stopping.stop(step, operation, 'staff', why),
});
