import {
  commissioningReport,
  finishCommissioning,
  getCommissioning,
  recordFault,
  startCommissioning,
} from '@fpay/contract/admin/network/commissioning';
import type { Routes } from '../../platform/http/routes.ts';
import { Refusal } from '../../platform/refusal.ts';
import { drawCommissioning } from './report.ts';
import type { Commissionings } from './service.ts';

export function commissioningRoutes(routes: Routes, commissionings: Commissionings): void {
  routes.on(getCommissioning, ({ params }) => commissionings.ofChargePoint(params.id));
  routes.on(startCommissioning, ({ viewer, params }) => commissionings.start(viewer.id, params.id));
  routes.on(recordFault, ({ viewer, params, body }) => {
    const { check, connector, note } = body;
    return commissionings.recordFault(viewer.id, params.id, { check, connector }, note);
  });
  routes.on(finishCommissioning, ({ viewer, params }) => commissionings.finish(viewer.id, params.id));
  routes.on(commissioningReport, async ({ params, query, http }) => {
    const found = await commissionings.find(params.id);
    if (found.finished_at === null) throw new Refusal('action_not_applicable');
    const pdf = await drawCommissioning(found, query.language ?? 'uk');
    return http.reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="commissioning-${params.id}.pdf"`)
      .send(pdf) as never;
  });
}
