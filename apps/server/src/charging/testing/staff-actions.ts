import type { ActionRequest, OperationAction } from '@fpay/contract/admin/operation-actions';
import { operationStatuses } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import { stationWorks } from '../../ocpp/commands/staff-actions.ts';
import { type PaymentOrder, paymentWorks } from '../../payments/staff/actions.ts';
import { type OperationOrder, operationWorks } from '../staff/actions.ts';
import type { StaffParts } from './staff-parts.ts';

export type PaidBy = 'card' | 'balance' | 'free';

/** A charge that staff act on, and the request by which they do. */
export interface StaffSubject {
  staff: number;
  user: number;
  operation: number;
  /** 0 when the charge is free. */
  payment: number;
  chargePoint: number;
  /** The device's transaction; 0 when there is none. */
  transaction: number;
  requestKey: string;
}

type Act = (parts: StaffParts, subject: StaffSubject) => Promise<unknown>;

/** The requests with which an action of the contract is tried, each with a name. An action without one does not compile. */
const requests: { [Name in OperationAction]: Record<string, ActionRequest<Name>> } = {
  soft_start: { 'soft start': { action: 'soft_start' } },
  soft_stop: { 'soft stop': { action: 'soft_stop' } },
  soft_cancel: { 'soft cancel': { action: 'soft_cancel' } },
  finish: { finish: { action: 'finish' } },
  force_status: Object.fromEntries(
    operationStatuses.map((status) => [`force status ${status}`, { action: 'force_status' as const, status }]),
  ),
  force_energy: {
    'force energy of 60 Wh': { action: 'force_energy', energy: wattHours(60), update_total: false },
    'force energy of 60 Wh with update_total': { action: 'force_energy', energy: wattHours(60), update_total: true },
    'force energy of 200 Wh with update_total': { action: 'force_energy', energy: wattHours(200), update_total: true },
  },
  force_hold: {
    'force hold status reversed': { action: 'force_hold', hold: 'reversed' },
    'force hold status success': { action: 'force_hold', hold: 'success' },
  },
  cancel_hold: { 'cancel hold': { action: 'cancel_hold' } },
  finalize: {
    'finalize with the total': { action: 'finalize', amount: kopecks(1_50) },
    'finalize below the total': { action: 'finalize', amount: kopecks(1_00) },
  },
  cancel_payment: {
    'cancel payment': { action: 'cancel_payment' },
    'cancel payment in part': { action: 'cancel_payment', amount: kopecks(50) },
  },
  reset: { 'RESET soft': { action: 'reset' }, 'RESET hard': { action: 'reset' } },
  remote_stop: { 'REMOTE STOP': { action: 'remote_stop' } },
};

/** The request of that name; null for the calls that are not about an operation. */
export const requestNamed = (name: string): ActionRequest | null =>
  Object.values<Record<string, ActionRequest>>(requests).find((named) => name in named)?.[name] ?? null;

/** The names under which an action of the contract is tried. */
export const triedAs = (action: OperationAction): string[] => Object.keys(requests[action]);

const isPaymentOrder = (request: ActionRequest): request is PaymentOrder => request.action in paymentWorks;
const isOperationOrder = (request: ActionRequest): request is OperationOrder => request.action in operationWorks;

/** Actions on a payment need one, which a free charge does not have. */
export const actsOnPayment = (name: string): boolean =>
  name.startsWith('cancel transaction') ||
  (Object.keys(paymentWorks) as OperationAction[]).some((action) => triedAs(action).includes(name));

const actOf =
  (name: string, request: ActionRequest): Act =>
  ({ features, stations }, subject) => {
    if (isOperationOrder(request)) return features.charging.staff.act(subject, request);
    if (isPaymentOrder(request)) return features.payments.staffActions.act(subject, request);
    const { staff, chargePoint, transaction } = subject;
    if (request.action === 'remote_stop') return stations.remoteStop(staff, chargePoint, transaction);
    return stations.reset(staff, chargePoint, name === 'RESET hard' ? 'Hard' : 'Soft');
  };

const isForStation = (name: OperationAction) => name in stationWorks;

function actsOf(isMeant: (action: OperationAction) => boolean): Record<string, Act> {
  const named = Object.entries(requests).filter(([action]) => isMeant(action as OperationAction));
  return Object.fromEntries(
    named
      .flatMap(([, requestsOf]) => Object.entries<ActionRequest>(requestsOf))
      .map(([name, request]) => [name, actOf(name, request)]),
  );
}

/** Every corrective action of staff on a charge, its money and its station. */
export const staffActions: Record<string, Act> = {
  ...actsOf((action) => !isForStation(action)),
  'cancel transaction with return': (parts, subject) => cancelTransaction(parts, subject, false),
  'cancel transaction with partial return': (parts, subject) => cancelTransaction(parts, subject, true),
  'give money': ({ features }, subject) => features.wallet.staffMoney.give({ ...subject, amount: kopecks(20_00) }),
  'take money': ({ features }, subject) => features.wallet.staffMoney.take({ ...subject, amount: kopecks(20_00) }),
  ...actsOf(isForStation),
};

/** Return and partial return are the two ways of one call; each excludes the other. */
async function cancelTransaction(
  { features }: StaffParts,
  subject: StaffSubject,
  isPartial: boolean,
): Promise<unknown> {
  const { staff, user, operation, requestKey } = subject;
  const { service, staffMoney } = features.wallet;
  const entries = await service.transactions(user, {});
  const paid = entries.find((entry) => entry.context.charging_operation_id === operation && entry.amount < 0);
  const transaction = paid?.id ?? 0;
  return staffMoney.cancelTransaction({
    staff,
    transaction,
    cancelPayment: !isPartial,
    allowPartial: isPartial,
    requestKey,
  });
}
