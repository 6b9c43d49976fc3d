import { type Effect, noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { isOpen, type OperationStatus } from '@fpay/contract/charging';
import { type Kopecks, kopecks, type WattHours } from '@fpay/contract/money';
import { isPaymentOver } from '../../payments/payment.ts';
import type { Payment } from '../../payments/store.ts';
import { billFor } from '../idle/bill.ts';
import { isPowerFlowing } from '../operation.ts';
import type { StoredOperation } from '../store.ts';

/** What an action is decided on. The same values give the same answer before the action and inside its step. */
export interface Subject {
  operation: Pick<StoredOperation, 'status' | 'energy' | 'total' | 'idleTotal' | 'price' | 'deposit' | 'paymentType'>;
  /** The energy that a settlement would bill now. */
  settled: WattHours;
  payment: Pick<Payment, 'state' | 'method' | 'amount' | 'captured' | 'refunded' | 'wanted'> | null;
  /** Another operation is open at the connector. */
  isConnectorTaken: boolean;
}

export type OperationOrder =
  | { action: 'soft_start' | 'soft_stop' | 'soft_cancel' | 'finish' }
  | { action: 'force_status'; status: OperationStatus }
  | { action: 'force_energy'; energy: WattHours; updateTotal: boolean };

type Change = { from: string; to: string };

export const remoteStart = 'RemoteStartTransaction';
export const remoteStop = 'RemoteStopTransaction';

const hasNotBegun = (status: OperationStatus) => ['created', 'pending', 'starting'].includes(status);
const hasBill = (status: OperationStatus) => status === 'finished' || status === 'pending_final_payment';
/** A payment that is over, or on its way back, is left alone. */
export const isFinal = (payment: Subject['payment']) =>
  payment !== null && (isPaymentOver(payment.state) || payment.wanted === 'release');

const change = (from: string, to: string): Change | null => (from === to ? null : { from, to });

/** The money goes back to where it came from; an invoice that was not paid is withdrawn. */
function release({ payment }: Subject): Pick<Effect, 'payment' | 'money'> {
  if (payment === null || isFinal(payment)) return { payment: null, money: [] };
  if (payment.state !== 'hold') return { payment: change(payment.state, 'expired'), money: [] };
  const kind = payment.method === 'bank' ? 'release' : 'return';
  return { payment: change('hold', 'reversed'), money: [{ kind, amount: payment.amount }] };
}

function settle(subject: Subject, total: Kopecks): Pick<Effect, 'payment' | 'money'> {
  const { payment } = subject;
  if (payment === null || isFinal(payment)) return { payment: null, money: [] };
  if (total === 0) return release(subject);
  const rest = kopecks(payment.amount - total);
  const back = { kind: payment.method === 'bank' ? ('release' as const) : ('return' as const), amount: rest };
  const money = [{ kind: 'capture' as const, amount: total }, ...(rest > 0 ? [back] : [])];
  return { payment: change(payment.state, 'success'), money };
}

/** After the settlement: what is above the new total goes back, what is below it is taken from the balance or lost. */
function correct({ payment, operation }: Subject, total: Kopecks): Pick<Effect, 'payment' | 'money'> {
  if (payment === null) return { payment: null, money: [] };
  if (!isFinal(payment)) {
    const money = total > 0 ? [{ kind: 'capture' as const, amount: total }] : [];
    return { payment: null, money };
  }
  const kept = payment.state === 'success' ? payment.captured - payment.refunded : 0;
  if (total === operation.total || total === kept) return { payment: null, money: [] };
  const amount = kopecks(Math.abs(total - kept));
  const isCard = payment.method === 'bank';
  if (total < kept) return { payment: null, money: [{ kind: isCard ? 'refund' : 'return', amount }] };
  return { payment: null, money: [{ kind: isCard ? 'lost' : 'capture', amount }] };
}

function cancel(subject: Subject): Effect {
  const { status } = subject.operation;
  const command = isPowerFlowing(status) ? remoteStop : null;
  return { ...noEffect, operation: change(status, 'canceled'), ...release(subject), command };
}

function softStart({ operation: { status } }: Subject): Effect {
  if (status !== 'pending' && status !== 'starting') return refusedEffect('action_not_applicable');
  return { ...noEffect, operation: change(status, 'starting'), command: remoteStart };
}

function softStop(subject: Subject): Effect {
  const { status } = subject.operation;
  if (hasNotBegun(status)) return cancel(subject);
  if (status !== 'ongoing') return refusedEffect('action_not_applicable');
  return { ...noEffect, operation: change('ongoing', 'finishing'), command: remoteStop };
}

function softCancel(subject: Subject): Effect {
  const { status, energy } = subject.operation;
  const isWithoutEnergy = hasNotBegun(status) || (isPowerFlowing(status) && energy === 0);
  return isWithoutEnergy ? cancel(subject) : refusedEffect('action_not_applicable');
}

function finish(subject: Subject): Effect {
  const { operation, settled } = subject;
  if (!isPowerFlowing(operation.status)) return refusedEffect('action_not_applicable');
  const { total } = billFor(operation, settled);
  const isFree = operation.paymentType === 'free';
  const to =
    isFree || (total > 0 && isSettledAtOnce(subject)) ? 'finished' : total > 0 ? 'pending_final_payment' : 'failed';
  return {
    ...noEffect,
    operation: change(operation.status, to),
    ...settle(subject, total),
    energy: { from: operation.energy, to: settled },
    total: { from: operation.total, to: total },
    command: remoteStop,
  };
}

/** A balance is settled in the same step; so is a payment that is over. */
const isSettledAtOnce = ({ payment }: Subject) => payment === null || payment.method === 'bonuses' || isFinal(payment);

function forceStatus(subject: Subject, to: OperationStatus): Effect {
  const { operation, settled, payment, isConnectorTaken } = subject;
  const from = operation.status;
  if (from === to) return refusedEffect('action_not_applicable');
  const moved = { ...noEffect, operation: change(from, to) };
  const command = isPowerFlowing(from) && !isPowerFlowing(to) ? remoteStop : null;
  if (to === 'canceled' || to === 'failed' || to === 'failed_hold') return { ...moved, ...release(subject), command };
  if (to === 'pending_final_payment') {
    // There is nothing to wait for, and no event would ever end the wait.
    if (payment === null) return refusedEffect('payment_not_held');
    if (isFinal(payment)) return refusedEffect('payment_final');
  }
  if (hasBill(to)) {
    const { total } = billFor(operation, settled);
    if (payment !== null && !isFinal(payment) && payment.state !== 'hold' && total > 0)
      return refusedEffect('payment_not_held');
    const totals = { energy: { from: operation.energy, to: settled }, total: { from: operation.total, to: total } };
    return { ...moved, ...settle(subject, total), ...totals, command };
  }
  if (!isOpen(from)) {
    if (isFinal(payment)) return refusedEffect('payment_final');
    if (isConnectorTaken) return refusedEffect('connector_taken');
  }
  const commands: Partial<Record<OperationStatus, string>> = {
    pending: remoteStart,
    starting: remoteStart,
    finishing: remoteStop,
  };
  return { ...moved, command: commands[to] ?? null };
}

function forceEnergy(subject: Subject, energy: WattHours, updateTotal: boolean): Effect {
  const { operation } = subject;
  const { status } = operation;
  if (hasNotBegun(status)) return refusedEffect('action_not_applicable');
  const changed = { ...noEffect, energy: { from: operation.energy, to: energy } };
  if (!updateTotal) return changed;
  // The money of a charge that failed or was canceled has been returned: there is no total to correct.
  if (!isPowerFlowing(status) && !hasBill(status)) return refusedEffect('action_not_applicable');
  const { total } = billFor(operation, energy);
  const money = hasBill(status) ? correct(subject, total) : {};
  return { ...changed, total: { from: operation.total, to: total }, ...money };
}

/** What a staff action changes, or why it is refused. Both the preview and the action itself ask here. */
export function operationEffect(subject: Subject, order: OperationOrder): Effect {
  switch (order.action) {
    case 'soft_start':
      return softStart(subject);
    case 'soft_stop':
      return softStop(subject);
    case 'soft_cancel':
      return softCancel(subject);
    case 'finish':
      return finish(subject);
    case 'force_status':
      return forceStatus(subject, order.status);
    case 'force_energy':
      return forceEnergy(subject, order.energy, order.updateTotal);
  }
}
