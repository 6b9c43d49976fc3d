import type { Effect } from '@fpay/contract/admin/effect';
import type { ActionRequest } from '@fpay/contract/admin/operation-actions';
import type { OperationWork } from './action.ts';
import { finishWork } from './actions/finish.ts';
import { forceEnergyWork } from './actions/force-energy.ts';
import { forceStatusWork } from './actions/force-status.ts';
import { softCancelWork } from './actions/soft-cancel.ts';
import { softStartWork } from './actions/soft-start.ts';
import { softStopWork } from './actions/soft-stop.ts';
import type { Subject } from './effect.ts';

/** The actions that charging does, by the names of the contract. */
export const operationWorks = {
  force_status: forceStatusWork,
  soft_start: softStartWork,
  soft_stop: softStopWork,
  soft_cancel: softCancelWork,
  finish: finishWork,
  force_energy: forceEnergyWork,
};
type OperationWorks = typeof operationWorks;
type ChargingAction = {
  [Name in keyof OperationWorks]: OperationWorks[Name]['record']['name'];
}[keyof OperationWorks];
export type OperationOrder = ActionRequest<ChargingAction>;

/** A record gets only requests of its own action, which the compiler cannot follow through a list. */
const works = operationWorks as unknown as Record<ChargingAction, OperationWork<ChargingAction>>;
export const operationWorkList = Object.values(works);
export const workOf = ({ action }: OperationOrder) => works[action];

/** What an action of staff changes, or why it is refused. Both the preview and the action itself ask here. */
export function operationEffect(subject: Subject, order: OperationOrder): Effect {
  return workOf(order).effect(subject, order);
}
