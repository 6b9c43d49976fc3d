import { apiKeyList } from '@fpay/contract/admin/integrations/api-keys';
import { ocpiPartners } from '@fpay/contract/admin/integrations/ocpi';
import { webhookDeliveries, webhookList } from '@fpay/contract/admin/integrations/webhooks';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { pollMs } from '../queries.ts';

export const integrationsKey = ['backoffice', 'integrations'] as const;
/** After a press on "send again" the outcome is there within a second or two. */
const deliveriesMs = 3_000;

export const integrationQueries = {
  keys: () =>
    queryOptions({
      queryKey: [...integrationsKey, 'keys'],
      queryFn: ({ signal }) => call(apiKeyList, { signal }),
      staleTime: 0,
    }),
  webhooks: () =>
    queryOptions({
      queryKey: [...integrationsKey, 'webhooks'],
      queryFn: ({ signal }) => call(webhookList, { signal }),
      staleTime: 0,
      refetchInterval: pollMs,
    }),
  deliveries: (id: number) =>
    queryOptions({
      queryKey: [...integrationsKey, 'deliveries', id],
      queryFn: ({ signal }) => call(webhookDeliveries, { params: { id: String(id) }, query: {}, signal }),
      staleTime: 0,
      refetchInterval: deliveriesMs,
    }),
  partners: () =>
    queryOptions({
      queryKey: [...integrationsKey, 'partners'],
      queryFn: ({ signal }) => call(ocpiPartners, { signal }),
      staleTime: 0,
    }),
};
