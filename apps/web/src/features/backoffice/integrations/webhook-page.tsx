import {
  pauseWebhook,
  removeWebhook,
  renewWebhookSecret,
  resumeWebhook,
  testWebhook,
  type WebhookItem,
} from '@fpay/contract/admin/integrations/webhooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate, useParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { confirm } from '../../../ui/overlay/popups.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { integrationQueries, integrationsKey } from './queries.ts';
import { SecretPopup } from './secret-popup.tsx';
import { eventTexts, WebhookPopup } from './webhook-popup.tsx';
import { WebhookState } from './webhook-state.tsx';

/** One endpoint: its settings, its deliveries, and what staff can do with them. */
export function Page() {
  const text = useText();
  const id = Number(useParams().webhook);
  const found = useQuery(integrationQueries.webhooks());
  const webhook = found.data?.find((one) => one.id === id);
  return (
    <StaffPage
      title={webhook?.name ?? text('integrations:webhook')}
      back="/admin/integrations/webhooks"
      actions={<RefreshButton onRefresh={() => void found.refetch()} fetchedAt={found.dataUpdatedAt} />}
    >
      <Loaded query={found} rows={4}>
        {() =>
          webhook ? (
            <>
              <Settings webhook={webhook} />
              <DeliveryList webhook={webhook} />
            </>
          ) : (
            <EmptyList>{text('integrations:webhookGone')}</EmptyList>
          )
        }
      </Loaded>
    </StaffPage>
  );
}

function Settings({ webhook }: { webhook: WebhookItem }) {
  const text = useText();
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card>
      <p className="flex flex-wrap items-center gap-2">
        <WebhookState state={webhook.state} />
        <span className="min-w-0 font-mono text-note break-all">{webhook.url}</span>
      </p>
      <p className="mt-1 text-small text-ink-2">{webhook.kinds.map((kind) => text(eventTexts[kind])).join(', ')}</p>
      {webhook.failures > 0 && (
        <p className="mt-1 text-small text-error">{text('integrations:failuresInRow', { count: webhook.failures })}</p>
      )}
      <WebhookActions webhook={webhook} onChange={() => setChanging(true)} onSecret={setSecret} />
      {isChanging && (
        <WebhookPopup webhook={webhook} onClose={() => setChanging(false)} onDone={() => setChanging(false)} />
      )}
      {secret !== null && (
        <SecretPopup
          secret={{
            title: text('integrations:secretRenewed'),
            fields: [{ label: text('integrations:secret'), value: secret }],
          }}
          onClose={() => setSecret(null)}
        />
      )}
    </Card>
  );
}

interface WebhookActionsProps {
  webhook: WebhookItem;
  onChange: () => void;
  /** The new secret, which is shown once. */
  onSecret: (secret: string) => void;
}

function WebhookActions({ webhook, onChange, onSecret }: WebhookActionsProps) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const params = { id: String(webhook.id) };
  const acting = useAction(async (act: () => Promise<unknown>) => void (await act()), {
    onSettled: () => void queryClient.invalidateQueries({ queryKey: integrationsKey }),
  });
  const isPaused = webhook.state !== 'active';

  async function renew() {
    const title = text('integrations:renewTitle');
    if (!(await confirm({ title, effect: text('integrations:renewEffect'), kind: 'danger' }))) return;
    acting.mutate(async () => onSecret((await call(renewWebhookSecret, { params })).secret));
  }
  async function remove() {
    const title = text('integrations:removeTitle', { name: webhook.name });
    if (!(await confirm({ title, effect: text('integrations:removeEffect'), kind: 'danger' }))) return;
    acting.mutate(async () => {
      await call(removeWebhook, { params });
      navigate('/admin/integrations/webhooks', { replace: true });
    });
  }
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {isPaused ? (
        <Button size="s" kind="main" onPress={() => acting.mutate(() => call(resumeWebhook, { params }))}>
          {text('integrations:resume')}
        </Button>
      ) : (
        <>
          <Button size="s" onPress={() => acting.mutate(() => call(testWebhook, { params }))}>
            {text('integrations:sendTest')}
          </Button>
          <Button size="s" onPress={() => acting.mutate(() => call(pauseWebhook, { params }))}>
            {text('integrations:pause')}
          </Button>
        </>
      )}
      <Button size="s" onPress={onChange}>
        {text('integrations:change')}
      </Button>
      <Button size="s" onPress={() => void renew()}>
        {text('integrations:renewSecret')}
      </Button>
      <Button size="s" kind="danger" onPress={() => void remove()}>
        {text('integrations:remove')}
      </Button>
    </div>
  );
}
