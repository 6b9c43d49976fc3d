import { chargingStatuses, isAmong, type OperationStatus } from '@fpay/contract/charging';

/**
 * The events of an operation, and the status each leads to. The guard, the diagram in docs/charging.md and the tests
 * use this table. An event that is not in it does not change an operation; money and energy that arrive all the same
 * are facts, and the code that receives them releases the money and books the energy.
 */
export const transitions = {
  created: { depositSecured: 'pending', chargeReported: 'ongoing', holdFailed: 'failed_hold', withdrawn: 'canceled' },
  pending: { startSent: 'starting', chargeReported: 'ongoing', withdrawn: 'canceled' },
  starting: { powerFlows: 'ongoing', chargeReported: 'ongoing', startFailed: 'failed', withdrawn: 'canceled' },
  ongoing: {
    stopAsked: 'finishing',
    unplugAwaited: 'finishing',
    captureDue: 'pending_final_payment',
    settled: 'finished',
    nothingDelivered: 'failed',
  },
  finishing: {
    unplugAwaited: 'finishing',
    captureDue: 'pending_final_payment',
    settled: 'finished',
    nothingDelivered: 'failed',
  },
  pending_final_payment: { settled: 'finished' },
  finished: {},
  canceled: {},
  failed: {},
  failed_hold: {},
} as const satisfies Record<OperationStatus, Partial<Record<string, OperationStatus>>>;

type EventsOf<Table> = Table extends Record<string, infer Row> ? (Row extends Row ? keyof Row : never) : never;
export type OperationEvent = EventsOf<typeof transitions>;

/** Staff set the status by hand: from any status to any other. What becomes of the money is decided by the staff action. */
export interface StatusOverride {
  overriddenTo: OperationStatus;
}

/**
 * Null and not an error, because stations and banks repeat themselves. The caller logs the impossible transition and
 * continues.
 */
export function nextStatus(status: OperationStatus, event: OperationEvent | StatusOverride): OperationStatus | null {
  if (typeof event === 'object') return event.overriddenTo;
  const allowed: Partial<Record<OperationEvent, OperationStatus>> = transitions[status];
  return allowed[event] ?? null;
}

/** Power may still flow, so energy and limits are watched, or the settlement waits until the cable is out. */
export function isPowerFlowing(status: OperationStatus): boolean {
  return isAmong(chargingStatuses, status);
}
