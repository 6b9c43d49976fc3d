import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import type { InvoiceStatus } from './bank.ts';

/** States that are certain; `unknown` means that there is none and is stored separately. */
export type PaymentState = Exclude<HoldStatus, 'unknown'>;

/**
 * What can happen to a payment, and where it leads. The store writes a status only along this table; the diagram in
 * docs/charging.md and the tests are made from it. The bank reports `processing`, `hold`, `success`, `failure`, `expired` and
 * `reversed`; the other events are our own.
 */
export const paymentTransitions = {
  pending: { invoiceOpened: 'created', invoiceRefused: 'failure', withdrawn: 'expired', reserved: 'hold' },
  created: {
    processing: 'processing',
    hold: 'hold',
    success: 'success',
    failure: 'failure',
    expired: 'expired',
    reversed: 'reversed',
    withdrawn: 'expired',
    timedOut: 'expired',
  },
  processing: {
    hold: 'hold',
    success: 'success',
    failure: 'failure',
    expired: 'expired',
    reversed: 'reversed',
    withdrawn: 'expired',
    timedOut: 'expired',
  },
  hold: { success: 'success', reversed: 'reversed', settled: 'success', returned: 'reversed' },
  success: { reversed: 'reversed' },
  // It is rare but happens: the bank approves after it has refused. The payment follows it and is released at once.
  failure: { hold: 'hold', success: 'success', reversed: 'reversed' },
  expired: { hold: 'hold', success: 'success', reversed: 'reversed' },
  reversed: {},
} as const satisfies Record<PaymentState, Partial<Record<string, PaymentState>>>;

type EventsOf<Table> = Table extends Record<string, infer Row> ? (Row extends Row ? keyof Row : never) : never;
export type PaymentEvent = EventsOf<typeof paymentTransitions>;

/** Staff set the state by hand: from any state to any other, and money does not move. */
export interface StaffOverride {
  overriddenTo: PaymentState;
}

/** Null, not an error: banks repeat themselves. The caller logs a transition that is not in the table and continues. */
export function nextState(state: PaymentState, event: PaymentEvent | StaffOverride): PaymentState | null {
  if (typeof event === 'object') return event.overriddenTo;
  const allowed: Partial<Record<PaymentEvent, PaymentState>> = paymentTransitions[state];
  return allowed[event] ?? null;
}

/** A deposit from the balance is reserved in the very step that opens the payment; a card payment waits for its invoice. */
export function openingState(isReserved: boolean): PaymentState {
  return isReserved ? paymentTransitions.pending.reserved : 'pending';
}

export function isPaymentOver(state: PaymentState): boolean {
  return state === 'success' || state === 'reversed' || state === 'failure' || state === 'expired';
}

/**
 * Statuses arrive by webhook, return and poll, repeated and in any order; the bank's own date orders them. Two states
 * can have the same second, so an equal date is not old; a repeat changes nothing anyway.
 */
export function isStale(knownAt: Date | null, invoice: Pick<InvoiceStatus, 'modifiedAt'>): boolean {
  return knownAt !== null && invoice.modifiedAt !== null && invoice.modifiedAt < knownAt;
}

/** The action at the bank that the payment's row requires, after its status was read. */
export type DueAction = 'wait' | 'withdraw' | 'capture' | 'release' | 'warn' | 'refundAll' | 'rest';

const dueActions = {
  // The bank has nothing yet; opening the invoice comes before any status.
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

/** The driver may still pay at the bank's page. */
export function isPageOpen({ bankStatus }: { bankStatus: string | null }): boolean {
  return bankStatus === null || bankStatus === 'created' || bankStatus === 'processing';
}

/** The key of the transfer that credits a top-up to its wallet. */
export const depositKey = (payment: number) => `payment:${payment}:deposit`;

export interface Captured {
  captured: Kopecks;
  refunded: Kopecks;
}

/**
 * The settlement when a charge costs `total`, `kept` is left of the captured money, and `chargedBack` was booked as a
 * loss because the bank returned it. At most one of the three results is above zero, except that a refund may leave a
 * part to regain.
 */
export function settlementOf({ total, kept, chargedBack }: { total: number; kept: number; chargedBack: number }) {
  const over = Math.max(0, kept + chargedBack - total);
  // Below zero while a refund is under way for money that the bank returned by itself; that refund is refused later.
  const refund = Math.max(0, Math.min(over, kept));
  return {
    refund: kopecks(refund),
    /** A part of the chargeback that is no loss, because it was not owed for the charge. */
    regained: kopecks(over - refund),
    lost: kopecks(Math.max(0, total - kept - chargedBack)),
  };
}

interface Missing {
  total: number;
  kept: number;
  /** Staff returned it, so it is no loss. */
  given: number;
  chargedBack: number;
}

/**
 * The loss of a finished charge after its payment changed: at most what is missing from the total, and at least the part of it that
 * neither staff nor a chargeback took. Between the two a loss stays as it was booked.
 */
export function lossWithin(booked: number, { total, kept, given, chargedBack }: Missing): Kopecks {
  const missing = Math.max(0, total - kept);
  return kopecks(Math.min(missing, Math.max(booked, missing - given - chargedBack)));
}

/** What can still be returned to the card. */
export function refundable({ captured, refunded }: Captured, underWay: number): number {
  return captured - refunded - underWay;
}

/** What a bank's answer leaves to do about the total of a charge, once its status and its money are in the books. */
export type SettlementDue = 'settle' | 'returnExcess' | 'nothing';

interface SettledPart {
  state: PaymentState;
  wanted: 'capture' | 'release' | null;
  total: number | null;
  refunded: number;
}

/**
 * The charge has ended and its total is known, so what the bank captured or released is compared with it at once. A capture that
 * the bank has returned since is no new settlement: a return that we requested is no loss, and any other one is booked as a
 * chargeback. The total is known from the end of the charge on, also when the bank had captured the money before it.
 */
export function settlementDue(before: Pick<SettledPart, 'state' | 'refunded'>, now: SettledPart): SettlementDue {
  if (!isPaymentOver(now.state)) return 'nothing';
  const hasEnded = now.state !== before.state;
  const isGivenBack = before.state === 'success' && now.state === 'reversed';
  if (hasEnded && !isGivenBack && now.wanted === 'capture') return 'settle';
  const isBilled = now.total !== null && now.wanted !== 'release';
  return isBilled && now.refunded > before.refunded ? 'returnExcess' : 'nothing';
}
