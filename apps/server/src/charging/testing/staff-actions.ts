import { type OperationStatus, operationStatuses } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
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

const forceTo =
  (status: OperationStatus): Act =>
  ({ features }, subject) =>
    features.charging.staff.forceStatus(subject, status);

/** Every corrective action of staff on a charge, its money and its station. */
export const staffActions: Record<string, Act> = {
  'soft start': ({ features }, subject) => features.charging.staff.softStart(subject),
  'soft stop': ({ features }, { staff, operation }) =>
    features.charging.softStop({ id: staff, role: 'Operator' }, operation),
  'soft cancel': ({ features }, subject) => features.charging.staff.softCancel(subject),
  finish: ({ features }, subject) => features.charging.staff.finish(subject),
  ...Object.fromEntries(operationStatuses.map((status) => [`force status ${status}`, forceTo(status)])),
  'force energy of 60 Wh': ({ features }, subject) =>
    features.charging.staff.forceEnergy(subject, wattHours(60), false),
  'force energy of 60 Wh with update_total': ({ features }, subject) =>
    features.charging.staff.forceEnergy(subject, wattHours(60), true),
  'force energy of 200 Wh with update_total': ({ features }, subject) =>
    features.charging.staff.forceEnergy(subject, wattHours(200), true),
  'force hold status reversed': ({ features }, subject) =>
    features.payments.staffActions.overrideStatus(subject, 'reversed'),
  'force hold status success': ({ features }, subject) =>
    features.payments.staffActions.overrideStatus(subject, 'success'),
  'cancel hold': ({ features }, subject) => features.payments.staffActions.cancelHold(subject),
  'finalize with the total': ({ features }, subject) => features.payments.staffActions.finalize(subject, kopecks(1_50)),
  'finalize below the total': ({ features }, subject) =>
    features.payments.staffActions.finalize(subject, kopecks(1_00)),
  'cancel payment': ({ features }, subject) => features.payments.staffActions.cancelPayment(subject, undefined),
  'cancel payment in part': ({ features }, subject) =>
    features.payments.staffActions.cancelPayment(subject, kopecks(50)),
  'cancel transaction with return': (parts, subject) => cancelTransaction(parts, subject, false),
  'cancel transaction with partial return': (parts, subject) => cancelTransaction(parts, subject, true),
  'give money': ({ features }, subject) => features.wallet.staffMoney.give({ ...subject, amount: kopecks(20_00) }),
  'take money': ({ features }, subject) => features.wallet.staffMoney.take({ ...subject, amount: kopecks(20_00) }),
  'RESET soft': ({ stations }, { staff, chargePoint }) => stations.reset(staff, chargePoint, 'Soft'),
  'RESET hard': ({ stations }, { staff, chargePoint }) => stations.reset(staff, chargePoint, 'Hard'),
  'REMOTE STOP': ({ stations }, { staff, chargePoint, transaction }) =>
    stations.remoteStop(staff, chargePoint, transaction),
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
