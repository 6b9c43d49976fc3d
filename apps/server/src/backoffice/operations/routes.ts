import {
  finishOperation,
  forceEnergy,
  forceHoldStatus,
  forceOperationStatus,
  previewOperationAction,
  softCancel,
  softStart,
  stationCommand,
} from '@fpay/contract/admin/operation-actions';
import {
  adminOperation,
  countOperations,
  lastOperations,
  operationCurve,
  operationTimeline,
} from '@fpay/contract/admin/operations';
import { operationLog, softStop } from '@fpay/contract/charging';
import type { HoldStatus } from '@fpay/contract/payments';
import { can } from '@fpay/contract/roles';
import type { ChargingService } from '../../charging/service.ts';
import type { OperationStaffActions } from '../../charging/staff/commands.ts';
import type { StationStaffActions } from '../../ocpp/commands/staff.ts';
import type { PaymentStaffActions } from '../../payments/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { OperationActions } from './actions.ts';
import type { OperationDetail } from './detail.ts';
import type { OperationList } from './list.ts';
import type { OperationStory } from './story.ts';

export interface OperationParts {
  list: OperationList;
  detail: OperationDetail;
  story: OperationStory;
  actions: OperationActions;
  charging: OperationStaffActions;
  /** The stop that a driver could also ask for, and the log. */
  service: Pick<ChargingService, 'softStop' | 'logText'>;
  payments: PaymentStaffActions;
  stations: StationStaffActions;
}

export function operationRoutes(routes: Routes, parts: OperationParts): void {
  const { list, detail, story, actions, charging, service, payments, stations } = parts;
  routes.on(lastOperations, ({ params, body }) => list.list(body, params.count));
  routes.on(countOperations, ({ body }) => list.count(body));
  routes.on(adminOperation, ({ viewer, params }) => detail(params.id, () => actions.of(params.id, viewer.role)));
  routes.on(operationTimeline, ({ params }) => story.timeline(params.id));
  routes.on(operationCurve, ({ params }) => story.curve(params.id));
  routes.on(operationLog, async ({ viewer, params, http }) => {
    const text = await service.logText(params.id, can(viewer.role, 'access-tech-logs'));
    return http.reply.type('text/plain; charset=utf-8').send(text) as never;
  });
  routes.on(previewOperationAction, ({ params, body }) => actions.preview(params.id, body));

  const command = (viewer: { id: number }, id: number, requestKey: string) => ({
    staff: viewer.id,
    operation: id,
    requestKey,
  });
  routes.on(forceOperationStatus, async ({ viewer, params, body, requestKey }) => {
    const { status } = await charging.forceStatus(command(viewer, params.id, requestKey), body.status);
    return { status };
  });
  routes.on(forceEnergy, async ({ viewer, params, body, requestKey }) => {
    const { energy, update_total } = body;
    const before = await charging.find(params.id);
    const after = await charging.forceEnergy(command(viewer, params.id, requestKey), energy, update_total);
    return { energy: after.energy, total: after.total, change: after.total - before.total };
  });
  routes.on(finishOperation, async ({ viewer, params, requestKey }) => {
    const { status } = await charging.finish(command(viewer, params.id, requestKey));
    return { status };
  });
  routes.on(softStart, async ({ viewer, params, requestKey }) => {
    const { status } = await charging.softStart(command(viewer, params.id, requestKey));
    return { status };
  });
  routes.on(softStop, async ({ viewer, params }) => ({ status: await service.softStop(viewer, params.id) }));
  routes.on(softCancel, async ({ viewer, params, requestKey }) => {
    const { status } = await charging.softCancel(command(viewer, params.id, requestKey));
    return { status };
  });
  routes.on(forceHoldStatus, async ({ viewer, params, body, requestKey }) => {
    const order = { staff: viewer.id, payment: params.id, requestKey };
    const { status } = await payments.overrideStatus(order, body.status as Exclude<HoldStatus, 'unknown'>);
    return { status };
  });
  routes.on(stationCommand, async ({ viewer, body }) => {
    const { status, answer } =
      body.command === 'reset'
        ? await stations.reset(viewer.id, body.payload.chargePointId, body.payload.resetType)
        : await stations.remoteStop(viewer.id, body.payload.chargePointId, body.payload.transactionId);
    const said = answer?.status ?? answer?.code;
    return { outcome: status, status: typeof said === 'string' ? said : null };
  });
}
