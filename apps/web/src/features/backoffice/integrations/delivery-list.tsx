import { redeliverWebhook, type WebhookDelivery, type WebhookItem } from '@fpay/contract/admin/integrations/webhooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Badge, type Tone } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { integrationQueries, integrationsKey } from './queries.ts';

const statuses = {
  pending: { label: 'integrations:deliveryPending', tone: 'occupied' },
  delivered: { label: 'integrations:deliveryDone', tone: 'free' },
  failed: { label: 'integrations:deliveryFailed', tone: 'error' },
} as const satisfies Record<WebhookDelivery['status'], { label: TextKey; tone: Tone }>;

/** The last deliveries with their attempts; each can be sent again. */
export function DeliveryList({ webhook }: { webhook: WebhookItem }) {
  const text = useText();
  const { data } = useQuery(integrationQueries.deliveries(webhook.id));
  if (!data) return <SkeletonList rows={3} />;
  if (data.length === 0) return <EmptyList>{text('integrations:noDeliveries')}</EmptyList>;
  return (
    <section aria-labelledby="deliveries" className="flex flex-col gap-3">
      <h2 id="deliveries" className="text-label">
        {text('integrations:deliveries')}
      </h2>
      <ul aria-label={text('integrations:deliveries')} className="flex flex-col gap-3">
        {data.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} maySend={webhook.state === 'active'} />
        ))}
      </ul>
    </section>
  );
}

function Delivery({ delivery, maySend }: { delivery: WebhookDelivery; maySend: boolean }) {
  const text = useText();
  const queryClient = useQueryClient();
  const sending = useAction(() => call(redeliverWebhook, { params: { id: String(delivery.id) } }), {
    onSettled: () => void queryClient.invalidateQueries({ queryKey: integrationsKey }),
  });
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card bg-surface p-4 shadow-card">
      <div className="min-w-[12rem] flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <b className="text-note">{delivery.kind}</b>
          <Badge tone={statuses[delivery.status].tone}>{text(statuses[delivery.status].label)}</Badge>
          {delivery.operation !== null && (
            <Link to={`/admin/operations/${delivery.operation}`} className="text-note font-bold text-accent-text">
              {text('admin:operationTitle', { id: delivery.operation })}
            </Link>
          )}
        </p>
        <p className="font-mono text-small break-all text-ink-2">{delivery.event}</p>
        <p className="text-small text-ink-2">
          <DateTime instant={delivery.created_at} /> · {text('integrations:attempts', { count: delivery.attempts })}
          {delivery.next_at !== null && (
            <>
              {' '}
              · {text('integrations:next')} <DateTime instant={delivery.next_at} />
            </>
          )}
        </p>
        {delivery.log.length > 0 && (
          <ul aria-label={text('integrations:attemptLog')} className="mt-1 text-small tabular">
            {delivery.log.map(({ at, took_ms, http_status, error }) => (
              <li key={at}>
                <DateTime instant={at} /> · {http_status === null ? error : `HTTP ${http_status}`} ·{' '}
                {text('integrations:milliseconds', { count: took_ms })}
              </li>
            ))}
          </ul>
        )}
      </div>
      {maySend && (
        <Button size="s" busy={sending.isPending} onPress={() => sending.mutate()}>
          {text('integrations:sendAgain')}
        </Button>
      )}
    </li>
  );
}
