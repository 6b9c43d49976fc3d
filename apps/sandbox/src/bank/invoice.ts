import type { Card } from './card.ts';
import { failureReasonOf } from './declines.ts';
import { BankRefusal } from './refusal.ts';

type InvoiceStatus = 'created' | 'processing' | 'hold' | 'success' | 'failure' | 'reversed' | 'expired';

/** One line of a basket or a fiscal check; `sum` is the price of one unit in kopecks. */
export interface BasketLine {
  name: string;
  qty: number;
  sum: number;
  code: string;
  unit?: string | undefined;
}

/** Numbers that a card network assigns to each movement of money. */
export interface Trace {
  approvalCode: string;
  rrn: string;
  tranId: string;
}

export interface Cancel {
  status: 'processing' | 'success' | 'failure';
  amount: number;
  extRef: string | null;
  createdAt: number;
  modifiedAt: number;
  trace: Pick<Trace, 'approvalCode' | 'rrn'>;
  items: BasketLine[];
}

/** A request to pay, as the bank stores it. Amounts are in kopecks, instants in milliseconds. */
export interface Invoice {
  id: string;
  status: InvoiceStatus;
  paymentType: 'debit' | 'hold' | 'verification';
  amount: number;
  ccy: number;
  createdAt: number;
  modifiedAt: number;
  validitySec: number;
  reference: string | null;
  destination: string | null;
  redirectUrl: string | null;
  webHookUrl: string | null;
  basket: BasketLine[];
  card: Card | null;
  trace: Trace | null;
  /** While `processing`: the future answer of the card's bank (null means success), and since when it is processed. */
  thinking: { since: number; errCode: string | null; awaits3ds: boolean } | null;
  heldAt: number | null;
  /** A capture that was accepted and is not finished. */
  capturing: { since: number; amount: number; items: BasketLine[] } | null;
  captured: { at: number; amount: number; items: BasketLine[] } | null;
  cancels: Cancel[];
  failure: { errCode: string; reason: string } | null;
  saveCardTo: string | null;
  walletData: { cardToken: string; walletId: string; status: 'new' | 'created' } | null;
}

/** The remaining captured amount; undefined while nothing was captured. */
export function finalAmountOf(invoice: Invoice): number | undefined {
  if (invoice.captured) return invoice.captured.amount - returnedOf(invoice);
  return invoice.status === 'reversed' ? 0 : undefined;
}

export function isPayable(invoice: Invoice, isLate = false): boolean {
  if (invoice.status === 'created' || invoice.thinking?.awaits3ds) return true;
  // In rare cases the real bank accepts a payment after it has reported a failure.
  return isLate && (invoice.status === 'failure' || invoice.status === 'expired');
}

/** Starts processing at the card's bank; the result comes later. */
export function startPayment(
  invoice: Invoice,
  payment: { card: Card; trace: Trace; errCode: string | null; awaits3ds?: boolean },
  now: number,
): Invoice {
  return withModifiedDate(
    {
      ...invoice,
      status: 'processing',
      card: payment.card,
      trace: payment.trace,
      failure: null,
      thinking: { since: now, errCode: payment.errCode, awaits3ds: payment.awaits3ds ?? false },
    },
    now,
  );
}

export function endPayment(invoice: Invoice, now: number): Invoice {
  const errCode = invoice.thinking?.errCode ?? null;
  if (errCode !== null) return decline(invoice, errCode, now);
  const paid = { ...invoice, thinking: null, failure: null };
  if (invoice.paymentType === 'hold') return withModifiedDate({ ...paid, status: 'hold', heldAt: now }, now);
  const captured = { at: now, amount: invoice.amount, items: invoice.basket };
  return withModifiedDate({ ...paid, status: 'success', captured }, now);
}

export function decline(invoice: Invoice, errCode: string, now: number): Invoice {
  const failure = { errCode, reason: failureReasonOf(errCode) };
  return withModifiedDate({ ...invoice, status: 'failure', thinking: null, failure }, now);
}

export function expire(invoice: Invoice, now: number): Invoice {
  return withModifiedDate({ ...invoice, status: 'expired', thinking: null }, now);
}

export function remove(invoice: Invoice, now: number): Invoice {
  if (invoice.status !== 'created') throw new BankRefusal('BAD_REQUEST', 'only an unpaid invoice can be removed');
  return expire(invoice, now);
}

/** Accepts a capture. There is only one per hold, because a partial capture releases the rest of the hold. */
export function acceptCapture(
  invoice: Invoice,
  { amount = invoice.amount, items }: { amount?: number | undefined; items: BasketLine[] },
  now: number,
): Invoice {
  if (invoice.status !== 'hold') throw new BankRefusal('BAD_REQUEST', 'the invoice is not on hold');
  if (invoice.capturing) throw new BankRefusal('BAD_REQUEST', 'the hold is being finalized already');
  if (isBeingReturned(invoice)) throw new BankRefusal('BAD_REQUEST', 'the hold is being cancelled');
  if (amount > invoice.amount) throw new BankRefusal('BAD_REQUEST', "'amount' is more than the hold");
  return { ...invoice, capturing: { since: now, amount, items: items.length > 0 ? items : invoice.basket } };
}

export function endCapture(invoice: Invoice, now: number): Invoice {
  if (!invoice.capturing) return invoice;
  const { amount, items } = invoice.capturing;
  return withModifiedDate(
    { ...invoice, status: 'success', capturing: null, captured: { at: now, amount, items } },
    now,
  );
}

/** Accepts a refund: a hold only completely, captured money also in parts. It is carried out later. */
export function acceptCancel(
  invoice: Invoice,
  asked: Pick<Cancel, 'extRef' | 'items' | 'trace'> & { amount?: number | undefined },
  now: number,
): Invoice {
  const left = cancellableOf(invoice);
  const amount = asked.amount ?? left;
  if (amount <= 0 || amount > left) throw new BankRefusal('WRONG_CANCEL_AMOUNT', "wrong 'amount' or cancelled already");
  if (invoice.status === 'hold' && amount !== invoice.amount) {
    throw new BankRefusal('WRONG_CANCEL_AMOUNT', 'a hold can only be cancelled whole');
  }
  const { extRef, items, trace } = asked;
  const cancel: Cancel = { status: 'processing', amount, extRef, createdAt: now, modifiedAt: now, trace, items };
  return { ...invoice, cancels: [...invoice.cancels, cancel] };
}

/** Completes all refunds in progress. `partlyAs` is the status of an invoice that was refunded in part. */
export function endCancels(
  invoice: Invoice,
  outcome: 'success' | 'failure',
  partlyAs: 'success' | 'reversed',
  now: number,
): Invoice {
  const cancels = invoice.cancels.map((cancel) =>
    cancel.status === 'processing' ? { ...cancel, status: outcome, modifiedAt: now } : cancel,
  );
  const ended = { ...invoice, cancels };
  if (outcome === 'failure') return withModifiedDate(ended, now);
  const isWhole = returnedOf(ended) === (invoice.captured?.amount ?? invoice.amount);
  return withModifiedDate({ ...ended, status: isWhole ? 'reversed' : partlyAs }, now);
}

/** The hold expired. The merchant never had the money, so no refund is listed. */
export function expireHold(invoice: Invoice, now: number): Invoice {
  return withModifiedDate({ ...invoice, status: 'reversed', capturing: null }, now);
}

/**
 * The card's owner disputed the payment: the remaining amount is returned without a request of the merchant. The amount
 * of a refund in progress is not returned twice.
 */
export function chargeBack(invoice: Invoice, trace: Cancel['trace'], now: number): Invoice {
  const amount = cancellableOf(invoice);
  if (amount === 0) return invoice;
  const cancel: Cancel = { status: 'success', amount, extRef: null, createdAt: now, modifiedAt: now, trace, items: [] };
  const ended = { ...invoice, cancels: [...invoice.cancels, cancel] };
  return withModifiedDate({ ...ended, status: finalAmountOf(ended) === 0 ? 'reversed' : invoice.status }, now);
}

export function cardSaved(invoice: Invoice, now: number): Invoice {
  if (!invoice.walletData) return invoice;
  return withModifiedDate({ ...invoice, walletData: { ...invoice.walletData, status: 'created' } }, now);
}

export function isBeingReturned(invoice: Invoice): boolean {
  return invoice.cancels.some((cancel) => cancel.status === 'processing');
}

function cancellableOf(invoice: Invoice): number {
  if (invoice.capturing) throw new BankRefusal('CANCEL_NOT_AVAILABLE', 'the hold is being finalized');
  const base = invoice.status === 'hold' ? invoice.amount : invoice.captured?.amount;
  if (base === undefined) {
    if (invoice.status === 'reversed') return 0;
    throw new BankRefusal('CANCEL_NOT_AVAILABLE', 'the invoice is not paid');
  }
  const promised = invoice.cancels.filter((cancel) => cancel.status !== 'failure');
  return base - promised.reduce((sum, cancel) => sum + cancel.amount, 0);
}

function returnedOf({ cancels }: Invoice): number {
  return cancels.reduce((sum, cancel) => sum + (cancel.status === 'success' ? cancel.amount : 0), 0);
}

/** `modifiedDate` never goes back, even when the clock does, because callers order updates by it. */
function withModifiedDate(invoice: Invoice, now: number): Invoice {
  return { ...invoice, modifiedAt: Math.max(now, invoice.modifiedAt) };
}
