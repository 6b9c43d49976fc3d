import { remoteStopAction } from '@fpay/contract/admin/actions/remote-stop';
import { resetAction } from '@fpay/contract/admin/actions/reset';
import { type Effect, noEffect, refusedEffect } from '@fpay/contract/admin/effect';

/** The device's open transaction of an operation. */
export type OpenTransaction = { id: number; isStopped: boolean } | null;

/** The actions that go to the charge point of an operation, by the names of the contract. Their work is `StationStaffActions`. */
export const stationWorks = {
  reset: {
    record: resetAction,
    probe: { action: 'reset' },
    // A charge point can always be reset.
    isAlwaysOffered: true,
    effect: (): Effect => ({ ...noEffect, command: 'Reset' }),
  },
  remote_stop: {
    record: remoteStopAction,
    probe: { action: 'remote_stop' },
    isAlwaysOffered: false,
    effect: (transaction: OpenTransaction): Effect =>
      transaction !== null && !transaction.isStopped
        ? { ...noEffect, command: 'RemoteStopTransaction' }
        : refusedEffect('action_not_applicable'),
  },
} as const;
