import { answerSupport, askSupport, readSupport, supportThread, supportThreads } from '@fpay/contract/support';
import type { Routes } from '../platform/http/routes.ts';
import type { Cases } from './service.ts';

/** The conversation as its driver sees it. The calls of staff are in `backoffice/cases`. */
export function supportRoutes(routes: Routes, cases: Cases): void {
  routes.on(supportThreads, ({ viewer }) => cases.threads(viewer));
  routes.on(supportThread, ({ viewer, params }) => cases.thread(viewer, params.id));
  routes.on(askSupport, async ({ viewer, body }) => ({
    id: await cases.ask(viewer, { text: body.text, operation: body.charging_operation_id ?? null }),
  }));
  routes.on(answerSupport, async ({ viewer, params, body }) => {
    await cases.write(viewer, params.id, body.text);
    return undefined;
  });
  routes.on(readSupport, async ({ viewer, params }) => {
    await cases.read(viewer, params.id);
    return undefined;
  });
}
