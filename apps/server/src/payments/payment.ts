import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import type { BankNews } from './bank.ts';

/** States we can be certain of; `unknown` is the lack of one and is kept beside them. */
export type PaymentState = Exclude<HoldStatus, 'unknown'>;

export type PaymentEvent =
  | 'invoiceOpened'
  | 'invoiceRefused'
  | 'dropped'
  | 'reserved'
  | 'processing'
  | 'hold'
  | 'success'
  | 'failure'
  | 'expired'
  | 'reversed';

const transitions = {
  pending: { invoiceOpened: 'created', invoiceRefused: 'failure', dropped: 'expired', reserved: 'hold' },
  created: {
    processing: 'processing',
    hold: 'hold',
    success: 'success',
    failure: 'failure',
    expired: 'expired',
    reversed: 'reversed',
  },
  processing: { hold: 'hold', success: 'success', failure: 'failure', expired: 'expired', reversed: 'reversed' },
  hold: { success: 'success', reversed: 'reversed' },
  success: { reversed: 'reversed' },
  // Rare but real: the bank changes its mind after it has said no. The payment follows it and is released at once.
  failure: { hold: 'hold', success: 'success', reversed: 'reversed' },
  expired: { hold: 'hold', success: 'success', reversed: 'reversed' },
  reversed: {},
} as const satisfies Record<PaymentState, Partial<Record<PaymentEvent, PaymentState>>>;

/** Null, not an error: banks repeat themselves. The caller notes the impossible step and goes on. */
export function nextState(state: PaymentState, event: PaymentEvent): PaymentState | null {
  const allowed: Partial<Record<PaymentEvent, PaymentState>> = transitions[state];
  return allowed[event] ?? null;
}

export function isOver(state: PaymentState): boolean {
  return state === 'success' || state === 'reversed' || state === 'failure' || state === 'expired';
}

/**
 * News arrive by webhook, return and poll, repeated and in any order: the bank's own date puts them in order.
 * Two states can share a second, so an equal date is not old; what it repeats changes nothing anyway.
 */
export function isStale(knownAt: Date | null, news: Pick<BankNews, 'modifiedAt'>): boolean {
  return knownAt !== null && news.modifiedAt !== null && news.modifiedAt < knownAt;
}

/** What the payment's own row says is to be done at the bank, once its news have been read. */
export type DueAction = 'wait' | 'withdraw' | 'capture' | 'release' | 'warn' | 'refundAll' | 'rest';

const dueActions = {
  // Nothing is at the bank yet; opening the invoice comes before any news.
  pending: { none: 'rest', capture: 'rest', release: 'rest' },
  created: { none: 'wait', capture: 'wait', release: 'withdraw' },
  processing: { none: 'wait', capture: 'wait', release: 'withdraw' },
  hold: { none: 'warn', capture: 'capture', release: 'release' },
  success: { none: 'rest', capture: 'rest', release: 'refundAll' },
  failure: { none: 'rest', capture: 'rest', release: 'rest' },
  expired: { none: 'rest', capture: 'rest', release: 'rest' },
  reversed: { none: 'rest', capture: 'rest', release: 'rest' },
} as const satisfies Record<PaymentState, Record<'none' | 'capture' | 'release', DueAction>>;

export function dueAction(state: PaymentState, wanted: 'capture' | 'release' | null): DueAction {
  return dueActions[state][wanted ?? 'none'];
}

/** 'Amount too small': the bank will never take it, so asking again is pointless. */
const tooSmallCodes = new Set(['1077', '1145']);

export function isTooSmall(code: string): boolean {
  return tooSmallCodes.has(code);
}

/** The payer turned back on the bank's page: a change of mind, not a card that failed. */
const payerCanceledCode = '8002';

export function isPayersCancel(code: string | null): boolean {
  return code === payerCanceledCode;
}

/** The transfer by which a top-up comes into its wallet. */
export const depositKey = (payment: number) => `payment:${payment}:deposit`;

export interface Captured {
  captured: Kopecks;
  refunded: Kopecks;
}

/**
 * What follows when a charge costs `total`, `kept` is left of the captured money, and `chargedBack` was booked as a loss
 * because the bank took it back. At most one of the three is above zero, except that a refund may leave a part to regain.
 */
export function settlementOf({ total, kept, chargedBack }: { total: number; kept: number; chargedBack: number }) {
  const over = Math.max(0, kept + chargedBack - total);
  const refund = Math.min(over, kept);
  return {
    refund: kopecks(refund),
    /** A part of the chargeback that is no loss, because it was not owed for the charge. */
    regained: kopecks(over - refund),
    lost: kopecks(Math.max(0, total - kept - chargedBack)),
  };
}

/** What can still go back to the card. */
export function refundable({ captured, refunded }: Captured, underWay: number): number {
  return captured - refunded - underWay;
}
