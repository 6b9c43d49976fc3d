import { type Effect, noEffect } from '@fpay/contract/admin/effect';
import type { OperationStatus } from '@fpay/contract/charging';
import { type Kopecks, kopecks, type WattHours } from '@fpay/contract/money';
import { isPaymentOver } from '../../payments/payment.ts';
import type { Payment } from '../../payments/payment-row.ts';
import { isPowerFlowing } from '../operation.ts';
import type { StoredOperation } from '../store.ts';

/** What an action is decided on. The same values give the same answer before the action and inside its step. */
export interface Subject {
  operation: Pick<StoredOperation, 'status' | 'energy' | 'total' | 'idleTotal' | 'price' | 'deposit' | 'paymentType'>;
  /** The energy that a settlement would bill now. */
  settled: WattHours;
  payment: Pick<Payment, 'state' | 'method' | 'amount' | 'captured' | 'refunded' | 'wanted'> | null;
  /** What the operation has left of its earnings. */
  earned: Kopecks;
  /** Another operation is open at the connector. */
  isConnectorTaken: boolean;
}

type Change = { from: string; to: string };

export const remoteStart = 'RemoteStartTransaction';
export const remoteStop = 'RemoteStopTransaction';

export const hasNotBegun = (status: OperationStatus) => ['created', 'pending', 'starting'].includes(status);
export const hasBill = (status: OperationStatus) => status === 'finished' || status === 'pending_final_payment';
/** A payment that is over, or on its way back, is left alone. */
export const isFinal = (payment: Subject['payment']) =>
  payment !== null && (isPaymentOver(payment.state) || payment.wanted === 'release');

export const statusChange = (from: string, to: string): Change | null => (from === to ? null : { from, to });

/** What was captured goes back, as far as the operation still has it. */
function refundMoney(payment: NonNullable<Subject['payment']>, amount: Kopecks): Pick<Effect, 'payment' | 'money'> {
  if (amount === 0) return { payment: null, money: [] };
  const isCard = payment.method === 'bank';
  const isAll = isCard && amount === payment.captured - payment.refunded;
  return {
    payment: isAll ? statusChange('success', 'reversed') : null,
    money: [{ kind: isCard ? 'refund' : 'return', amount }],
  };
}

/** The money goes back to where it came from; an invoice that was not paid is withdrawn. */
export function releaseMoney({ payment, earned }: Subject): Pick<Effect, 'payment' | 'money'> {
  if (payment?.state === 'success' && payment.wanted !== 'release') return refundMoney(payment, earned);
  if (payment === null || isFinal(payment)) return { payment: null, money: [] };
  if (payment.state !== 'hold') return { payment: statusChange(payment.state, 'expired'), money: [] };
  const kind = payment.method === 'bank' ? 'release' : 'return';
  return { payment: statusChange('hold', 'reversed'), money: [{ kind, amount: payment.amount }] };
}

export function settleMoney(subject: Subject, total: Kopecks): Pick<Effect, 'payment' | 'money'> {
  const { payment } = subject;
  if (payment === null) return { payment: null, money: [] };
  if (isFinal(payment)) return correctMoney(subject, total);
  if (total === 0) return releaseMoney(subject);
  const rest = kopecks(payment.amount - total);
  const back = { kind: payment.method === 'bank' ? ('release' as const) : ('return' as const), amount: rest };
  const money = [{ kind: 'capture' as const, amount: total }, ...(rest > 0 ? [back] : [])];
  return { payment: statusChange(payment.state, 'success'), money };
}

/** After the settlement: what is above the new total goes back, what is below it is taken from the balance or lost. */
export function correctMoney(
  { payment, operation, earned }: Subject,
  total: Kopecks,
): Pick<Effect, 'payment' | 'money'> {
  if (payment === null) return { payment: null, money: [] };
  if (!isFinal(payment)) {
    const money = total > 0 ? [{ kind: 'capture' as const, amount: total }] : [];
    return { payment: null, money };
  }
  const kept = payment.state === 'success' ? payment.captured - payment.refunded : 0;
  if (total === operation.total || total === kept) return { payment: null, money: [] };
  const isCard = payment.method === 'bank';
  if (total < kept) {
    const back = kopecks(Math.min(kept - total, earned));
    return { payment: null, money: back > 0 ? [{ kind: isCard ? 'refund' : 'return', amount: back }] : [] };
  }
  const amount = kopecks(total - kept);
  return { payment: null, money: [{ kind: isCard ? 'lost' : 'capture', amount }] };
}

export function cancelEffect(subject: Subject): Effect {
  const { status } = subject.operation;
  const command = isPowerFlowing(status) ? remoteStop : null;
  return { ...noEffect, operation: statusChange(status, 'canceled'), ...releaseMoney(subject), command };
}
