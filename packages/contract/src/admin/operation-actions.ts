import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { noMoney } from '../staff-money.ts';
import { IdText } from '../wire.ts';
import { cancelHoldAction } from './actions/cancel-hold.ts';
import { cancelPaymentAction } from './actions/cancel-payment.ts';
import { finalizeAction } from './actions/finalize.ts';
import { finishAction } from './actions/finish.ts';
import { forceEnergyAction } from './actions/force-energy.ts';
import { forceHoldAction } from './actions/force-hold.ts';
import { forceStatusAction } from './actions/force-status.ts';
import { remoteStopAction } from './actions/remote-stop.ts';
import { resetAction } from './actions/reset.ts';
import { softCancelAction } from './actions/soft-cancel.ts';
import { softStartAction } from './actions/soft-start.ts';
import { softStopAction } from './actions/soft-stop.ts';
import { Effect } from './effect.ts';

/** What staff can do to an operation and to its payment, one record each. A new action is a line here. */
export const actionRecords = [
  forceStatusAction,
  forceHoldAction,
  softStartAction,
  softStopAction,
  softCancelAction,
  finishAction,
  cancelHoldAction,
  finalizeAction,
  cancelPaymentAction,
  forceEnergyAction,
  resetAction,
  remoteStopAction,
] as const;

/** One member of each record, in their order. */
type Each<List extends readonly object[], Key extends keyof List[number]> = {
  -readonly [Index in keyof List]: List[Index][Key & keyof List[Index]];
};

type Records = typeof actionRecords;
export type ActionRecord = Records[number];
export type OperationAction = ActionRecord['name'];
export const operationActions = actionRecords.map(({ name }) => name) as Each<Records, 'name'>;
export const OperationAction = z.enum(operationActions);

/** An action with what it needs. */
export type ActionRequest<Name extends OperationAction = OperationAction> = z.infer<
  Extract<ActionRecord, { name: Name }>['request']
>;
const ActionRequest = z.discriminatedUnion(
  'action',
  actionRecords.map(({ request }) => request) as Each<Records, 'request'>,
);

export const previewOperationAction = endpoint({
  method: 'POST',
  path: '/api/admin/operation/preview/:id',
  summary: 'What an action on this operation would change, without doing it',
  onlyReads: true,
  access: ['access-admin-page', 'monitor-operations'],
  money: noMoney.reads,
  params: z.object({ id: IdText }),
  body: ActionRequest,
  reply: Effect,
  refusals: ['not_found'],
  openInMaintenance: true,
});
