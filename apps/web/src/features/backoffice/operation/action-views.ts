import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import { type ActionGroup, type ActionView, groupTitles } from './action-view.ts';
import { cancelHoldView } from './actions/cancel-hold.tsx';
import { cancelPaymentView } from './actions/cancel-payment.tsx';
import { finalizeView } from './actions/finalize.tsx';
import { finishView } from './actions/finish.tsx';
import { forceEnergyView } from './actions/force-energy.tsx';
import { forceHoldView } from './actions/force-hold.tsx';
import { forceStatusView } from './actions/force-status.tsx';
import { remoteStopView } from './actions/remote-stop.tsx';
import { resetView } from './actions/reset.tsx';
import { softCancelView } from './actions/soft-cancel.tsx';
import { softStartView } from './actions/soft-start.tsx';
import { softStopView } from './actions/soft-stop.tsx';

/** Every action of the contract, in the order of the buttons. */
export const actionViews: Record<OperationAction, ActionView> = {
  soft_start: softStartView,
  soft_stop: softStopView,
  soft_cancel: softCancelView,
  finish: finishView,
  finalize: finalizeView,
  cancel_hold: cancelHoldView,
  cancel_payment: cancelPaymentView,
  force_status: forceStatusView,
  force_hold: forceHoldView,
  force_energy: forceEnergyView,
  reset: resetView,
  remote_stop: remoteStopView,
};

const actions = Object.keys(actionViews) as OperationAction[];
const groups = Object.keys(groupTitles) as ActionGroup[];

export const actionGroups = groups.map((group) => ({
  title: groupTitles[group],
  actions: actions.filter((action) => actionViews[action].group === group),
}));
