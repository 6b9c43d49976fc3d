import type { OperationStatus } from '@fpay/contract/charging';

/**
 * What can happen to an operation, and where it leads. The guard, the diagram in docs/charging.md and the tests are made
 * from this table. What is not in it does not move an operation; money and energy that come all the same are facts, and
 * whoever hears of them releases the one and books the other.
 */
export const transitions = {
  created: { depositSecured: 'pending', holdFailed: 'failed_hold', withdrawn: 'canceled' },
  pending: { startSent: 'starting', withdrawn: 'canceled' },
  starting: { powerFlows: 'ongoing', startFailed: 'failed', withdrawn: 'canceled' },
  ongoing: {
    stopAsked: 'finishing',
    captureDue: 'pending_final_payment',
    settled: 'finished',
    nothingDelivered: 'failed',
  },
  finishing: { captureDue: 'pending_final_payment', settled: 'finished', nothingDelivered: 'failed' },
  pending_final_payment: { settled: 'finished' },
  finished: {},
  canceled: {},
  failed: {},
  failed_hold: {},
} as const satisfies Record<OperationStatus, Partial<Record<string, OperationStatus>>>;

type EventsOf<Table> = Table extends Record<string, infer Row> ? (Row extends Row ? keyof Row : never) : never;
export type OperationEvent = EventsOf<typeof transitions>;

/** Null, not an error: stations and banks repeat themselves. The caller logs the impossible step and goes on. */
export function nextStatus(status: OperationStatus, event: OperationEvent): OperationStatus | null {
  const allowed: Partial<Record<OperationEvent, OperationStatus>> = transitions[status];
  return allowed[event] ?? null;
}

/** Power may still flow, so energy and limits are watched. */
export function isCharging(status: OperationStatus): boolean {
  return status === 'ongoing' || status === 'finishing';
}
