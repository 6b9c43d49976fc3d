import {
  finishOperation,
  forceEnergy,
  forceHoldStatus,
  forceOperationStatus,
  softCancel,
  softStart,
  stationCommand,
} from '@fpay/contract/admin/operation-actions';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import { softStop } from '@fpay/contract/charging';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { cancelHold, cancelPayment, finalizePayment } from '@fpay/contract/payments';
import { call } from '../../../api/call.ts';
import type { OrderForm } from './order.ts';
import type { PreviewRequest } from './queries.ts';

/** What happened: a new status of the operation or the payment, or the answer of the charge point. */
export type ActionResult =
  | { kind: 'operation' | 'payment'; status: string }
  | ({ kind: 'energy' } & ReplyOf<typeof forceEnergy>)
  | ({ kind: 'command' } & ReplyOf<typeof stationCommand>);

/** Does what was previewed. */
export async function perform(
  operation: Pick<AdminOperation, 'operation_id' | 'payment_id' | 'charge_point_id' | 'transaction_id'>,
  request: PreviewRequest,
  resetType: OrderForm['resetType'],
): Promise<ActionResult> {
  const byOperation = { params: { id: String(operation.operation_id) } };
  const byPayment = { params: { paymentId: String(operation.payment_id) } };
  const chargePointId = operation.charge_point_id;
  const { action, status, hold, amount, energy, update_total: updatesTotal = false } = request;
  switch (action) {
    case 'soft_start':
      return { kind: 'operation', ...(await call(softStart, byOperation)) };
    case 'soft_stop':
      return { kind: 'operation', ...(await call(softStop, byOperation)) };
    case 'soft_cancel':
      return { kind: 'operation', ...(await call(softCancel, byOperation)) };
    case 'finish':
      return { kind: 'operation', ...(await call(finishOperation, byOperation)) };
    case 'force_status': {
      const body = { status: given(status), override: true as const };
      return { kind: 'operation', ...(await call(forceOperationStatus, { ...byOperation, body })) };
    }
    case 'force_hold': {
      const params = { id: String(operation.payment_id) };
      const body = { status: given(hold), override: true as const };
      return { kind: 'payment', ...(await call(forceHoldStatus, { params, body })) };
    }
    case 'force_energy': {
      const body = { energy: given(energy), update_total: updatesTotal };
      return { kind: 'energy', ...(await call(forceEnergy, { ...byOperation, body })) };
    }
    case 'finalize':
      return paid(await call(finalizePayment, { ...byPayment, body: { amount: given(amount) } }));
    case 'cancel_hold':
      return paid(await call(cancelHold, byPayment));
    case 'cancel_payment':
      return paid(await call(cancelPayment, { ...byPayment, body: amount === undefined ? {} : { amount } }));
    case 'reset': {
      const body = { command: 'reset' as const, payload: { chargePointId, resetType } };
      return { kind: 'command', ...(await call(stationCommand, { body })) };
    }
    case 'remote_stop': {
      const payload = { chargePointId, transactionId: given(operation.transaction_id ?? undefined) };
      const body = { command: 'remotestoptransaction' as const, payload };
      return { kind: 'command', ...(await call(stationCommand, { body })) };
    }
  }
}

function paid({ status }: { status: string }): ActionResult {
  return { kind: 'payment', status };
}

/** A request is complete before it is previewed, so a missing value here is a bug. */
function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The request of the action is not complete');
  return value;
}
