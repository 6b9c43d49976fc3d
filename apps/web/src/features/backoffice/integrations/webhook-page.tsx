import {
  pauseWebhook,
  removeWebhook,
  renewWebhookSecret,
  resumeWebhook,
  testWebhook,
  type WebhookItem,
} from '@fpay/contract/admin/integrations/webhooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { NetworkError } from '../../../api/errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate, useParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { LoadFailure } from '../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { confirm, notify } from '../../../ui/overlay/popups.ts';
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
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery(integrationQueries.webhooks());
  const webhook = data?.find((one) => one.id === id);
  return (
    <StaffPage
      title={webhook?.name ?? text('integrations:webhook')}
      back="/admin/integrations/webhooks"
      actions={<RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />}
    >
      {webhook ? (
        <>
          <Settings webhook={webhook} />
          <DeliveryList webhook={webhook} />
        </>
      ) : data ? (
        <p className="rounded-card bg-surface p-8 text-center text-body text-ink-2 shadow-card">
          {text('integrations:webhookGone')}
        </p>
      ) : error ? (
        <LoadFailure
          level={2}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      ) : (
        <SkeletonList rows={4} />
      )}
    </StaffPage>
  );
}

function Settings({ webhook }: { webhook: WebhookItem }) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const params = { id: String(webhook.id) };
  const acting = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => void (await act()),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: integrationsKey }),
    onError: (error) => void notify(text(errorText(error))),
  });
  const isPaused = webhook.state !== 'active';

  async function renew() {
    const title = text('integrations:renewTitle');
    if (!(await confirm({ title, effect: text('integrations:renewEffect'), kind: 'danger' }))) return;
    acting.mutate(async () => setSecret((await call(renewWebhookSecret, { params })).secret));
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
    <Card>
      <p className="flex flex-wrap items-center gap-2">
        <WebhookState state={webhook.state} />
        <span className="min-w-0 font-mono text-note break-all">{webhook.url}</span>
      </p>
      <p className="mt-1 text-small text-ink-2">{webhook.kinds.map((kind) => text(eventTexts[kind])).join(', ')}</p>
      {webhook.failures > 0 && (
        <p className="mt-1 text-small text-error">{text('integrations:failuresInRow', { count: webhook.failures })}</p>
      )}
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
        <Button size="s" onPress={() => setChanging(true)}>
          {text('integrations:change')}
        </Button>
        <Button size="s" onPress={() => void renew()}>
          {text('integrations:renewSecret')}
        </Button>
        <Button size="s" kind="danger" onPress={() => void remove()}>
          {text('integrations:remove')}
        </Button>
      </div>
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
