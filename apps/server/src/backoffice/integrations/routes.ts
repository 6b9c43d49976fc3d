import { addApiKey, apiKeyList, revokeApiKey } from '@fpay/contract/admin/integrations/api-keys';
import { addOcpiPartner, endOcpiPartner, ocpiPartners, renewOcpiToken } from '@fpay/contract/admin/integrations/ocpi';
import {
  addWebhook,
  changeWebhook,
  pauseWebhook,
  redeliverWebhook,
  removeWebhook,
  renewWebhookSecret,
  resumeWebhook,
  testWebhook,
  webhookDeliveries,
  webhookList,
} from '@fpay/contract/admin/integrations/webhooks';
import { pageLimit } from '@fpay/contract/wire';
import type { Integrations } from '../../integrations/feature.ts';
import type { IntegrationActor } from '../../integrations/webhooks/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { Viewer } from '../../platform/http/session.ts';

const actorOf = ({ viewer, apiKey }: { viewer: Viewer; apiKey: number | null }): IntegrationActor => ({
  staff: viewer.id,
  apiKey,
});

export function integrationRoutes(routes: Routes, { keys, webhooks, partners }: Integrations): void {
  routes.on(apiKeyList, () => keys.list());
  routes.on(addApiKey, ({ viewer, body }) => keys.add(viewer.id, body));
  routes.on(revokeApiKey, async ({ viewer, params }) => {
    await keys.revoke(viewer.id, params.id);
    return undefined;
  });

  routes.on(webhookList, () => webhooks.list());
  routes.on(addWebhook, (call) => webhooks.add(actorOf(call), call.body));
  routes.on(changeWebhook, async (call) => {
    await webhooks.change(actorOf(call), call.params.id, call.body);
    return undefined;
  });
  routes.on(removeWebhook, async (call) => {
    await webhooks.remove(actorOf(call), call.params.id);
    return undefined;
  });
  routes.on(renewWebhookSecret, (call) => webhooks.renewSecret(actorOf(call), call.params.id));
  routes.on(pauseWebhook, async (call) => {
    await webhooks.pause(actorOf(call), call.params.id);
    return undefined;
  });
  routes.on(resumeWebhook, async (call) => {
    await webhooks.resume(actorOf(call), call.params.id);
    return undefined;
  });
  routes.on(testWebhook, (call) => webhooks.test(actorOf(call), call.params.id));
  routes.on(webhookDeliveries, ({ params, query }) =>
    webhooks.deliveries(params.id, { before: query.before, limit: query.limit ?? pageLimit.default }),
  );
  routes.on(redeliverWebhook, async (call) => {
    await webhooks.redeliver(actorOf(call), call.params.id);
    return undefined;
  });

  routes.on(ocpiPartners, () => partners.list());
  routes.on(addOcpiPartner, ({ viewer, body }) => partners.add(viewer.id, body));
  routes.on(renewOcpiToken, ({ viewer, params }) => partners.renew(viewer.id, params.id));
  routes.on(endOcpiPartner, async ({ viewer, params }) => {
    await partners.end(viewer.id, params.id);
    return undefined;
  });
}
