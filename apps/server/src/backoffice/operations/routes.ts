import { stationCommand } from '@fpay/contract/admin/actions/station-command';
import { previewOperationAction } from '@fpay/contract/admin/operation-actions';
import {
  adminOperation,
  countOperations,
  lastOperations,
  operationCurve,
  operationTimeline,
} from '@fpay/contract/admin/operations';
import { operationLog } from '@fpay/contract/charging';
import { can } from '@fpay/contract/roles';
import type { ChargingService } from '../../charging/service.ts';
import { operationWorkList } from '../../charging/staff/actions.ts';
import type { OperationStaffActions } from '../../charging/staff/commands.ts';
import type { StationStaffActions } from '../../ocpp/commands/staff.ts';
import type { Reads } from '../../platform/audit-reads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sortOf } from '../sorts.ts';
import type { OperationActions } from './actions.ts';
import type { OperationDetail } from './detail.ts';
import type { OperationList } from './list.ts';
import type { OperationStory } from './story.ts';

/** Calls that ask for no reason have no such field. */
const reasonOf = (body: { reason?: string | undefined } | undefined): string | null => body?.reason ?? null;

export interface OperationParts {
  list: OperationList;
  detail: OperationDetail;
  story: OperationStory;
  actions: OperationActions;
  charging: OperationStaffActions;
  service: Pick<ChargingService, 'logText'>;
  stations: StationStaffActions;
  reads: Reads;
}

export function operationRoutes(routes: Routes, parts: OperationParts): void {
  const { list, detail, story, actions, charging, service, stations, reads } = parts;
  routes.on(lastOperations, async ({ viewer, params, body }) => {
    const sort = sortOf('operations', body.sort);
    await reads.list(viewer.id, 'operations', body);
    return list.list(body, params.count, sort);
  });
  routes.on(countOperations, ({ body }) => list.count(body));
  routes.on(adminOperation, ({ viewer, params }) => detail(params.id, () => actions.of(params.id, viewer)));
  routes.on(operationTimeline, ({ params }) => story.timeline(params.id));
  routes.on(operationCurve, ({ params }) => story.curve(params.id));
  routes.on(operationLog, async ({ viewer, params, http }) => {
    const text = await service.logText(params.id, can(viewer.role, 'access-tech-logs'));
    await reads.of(viewer.id, 'operation-log', params.id);
    return http.reply.type('text/plain; charset=utf-8').send(text) as never;
  });
  routes.on(previewOperationAction, ({ viewer, params, body }) => actions.preview(params.id, body, viewer.id));

  for (const work of operationWorkList)
    routes.on(work.record.endpoint, async ({ viewer, params, body, requestKey }) => {
      const command = { staff: viewer.id, operation: params.id, requestKey, reason: reasonOf(body) };
      return work.replyOf(await charging.act(command, work.requestOf(body)));
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
