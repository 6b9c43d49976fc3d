import type { WebhookItem } from '@fpay/contract/admin/integrations/webhooks';
import { useQuery } from '@tanstack/react-query';
import Webhook from 'lucide-react/icons/webhook';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { List, ListItem } from '../../../ui/layout/list.tsx';
import { IntegrationsFrame } from './integrations-frame.tsx';
import { integrationQueries } from './queries.ts';
import { SecretPopup } from './secret-popup.tsx';
import { WebhookPopup } from './webhook-popup.tsx';
import { WebhookState } from './webhook-state.tsx';

/** Endpoints that get the events of operations. */
export function Page() {
  const text = useText();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const found = useQuery(integrationQueries.webhooks());
  return (
    <IntegrationsFrame
      view="/admin/integrations/webhooks"
      about={text('integrations:webhooksText')}
      found={found}
      addLabel={text('integrations:webhookAdd')}
      onAdd={() => setAdding(true)}
    >
      {(webhooks) => (
        <>
          <WebhookRows webhooks={webhooks} />
          {isAdding && (
            <WebhookPopup
              webhook={null}
              onClose={() => setAdding(false)}
              onDone={(added) => {
                setAdding(false);
                setSecret(added);
              }}
            />
          )}
          {secret !== null && (
            <SecretPopup
              secret={{
                title: text('integrations:webhookAdded'),
                fields: [{ label: text('integrations:secret'), value: secret }],
              }}
              onClose={() => setSecret(null)}
            />
          )}
        </>
      )}
    </IntegrationsFrame>
  );
}

function WebhookRows({ webhooks }: { webhooks: readonly WebhookItem[] }) {
  const text = useText();
  if (webhooks.length === 0) return <EmptyList>{text('integrations:noWebhooks')}</EmptyList>;
  return (
    <List label={text('integrations:webhooks')}>
      {webhooks.map((webhook) => (
        <ListItem
          key={webhook.id}
          to={`/admin/integrations/webhooks/${webhook.id}`}
          icon={<Webhook size={22} />}
          title={webhook.name}
          subtitle={
            <>
              <span className="break-all">{webhook.url}</span>
              {' · '}
              {text('integrations:pendingCount', { count: webhook.pending })}
            </>
          }
          trailing={<WebhookState state={webhook.state} />}
        />
      ))}
    </List>
  );
}
