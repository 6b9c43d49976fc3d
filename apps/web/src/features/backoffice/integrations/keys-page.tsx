import { type ApiKeyItem, revokeApiKey } from '@fpay/contract/admin/integrations/api-keys';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Badge, type Tone } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { confirm } from '../../../ui/overlay/popups.ts';
import { IntegrationsFrame } from './integrations-frame.tsx';
import { KeyPopup, scopeTexts } from './key-popup.tsx';
import { integrationQueries, integrationsKey } from './queries.ts';
import { SecretPopup } from './secret-popup.tsx';

const states = {
  active: { label: 'integrations:keyActive', tone: 'free' },
  expired: { label: 'integrations:keyExpired', tone: 'offline' },
  revoked: { label: 'integrations:keyRevoked', tone: 'error' },
  ownerless: { label: 'integrations:keyOwnerless', tone: 'error' },
} as const satisfies Record<ApiKeyItem['state'], { label: TextKey; tone: Tone }>;

/** Keys with which programs call the API. */
export function Page() {
  const text = useText();
  const [isAdding, setAdding] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const found = useQuery(integrationQueries.keys());
  return (
    <IntegrationsFrame
      view="/admin/integrations"
      about={text('integrations:keysText')}
      found={found}
      addLabel={text('integrations:keyAdd')}
      onAdd={() => setAdding(true)}
    >
      {(keys) => (
        <>
          {keys.length === 0 ? (
            <EmptyList>{text('integrations:noKeys')}</EmptyList>
          ) : (
            <ul aria-label={text('integrations:keys')} className="flex flex-col gap-3">
              {keys.map((item) => (
                <KeyCard key={item.id} item={item} />
              ))}
            </ul>
          )}
          {isAdding && (
            <KeyPopup
              onClose={() => setAdding(false)}
              onDone={(added) => {
                setAdding(false);
                setKey(added);
              }}
            />
          )}
          {key !== null && (
            <SecretPopup
              secret={{
                title: text('integrations:keyAdded'),
                fields: [{ label: text('integrations:key'), value: key }],
              }}
              onClose={() => setKey(null)}
            />
          )}
        </>
      )}
    </IntegrationsFrame>
  );
}

function KeyCard({ item }: { item: ApiKeyItem }) {
  const text = useText();
  const queryClient = useQueryClient();
  const revoking = useAction(() => call(revokeApiKey, { params: { id: String(item.id) } }), {
    onSettled: () => void queryClient.invalidateQueries({ queryKey: integrationsKey }),
  });
  async function revoke() {
    const title = text('integrations:revokeTitle', { name: item.name });
    const isSure = await confirm({ title, effect: text('integrations:revokeEffect'), kind: 'danger' });
    if (isSure) revoking.mutate();
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-surface p-4 shadow-card">
      <div className="min-w-[12rem] flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <b className="min-w-0 text-label break-words">{item.name}</b>
          <Badge tone={states[item.state].tone}>{text(states[item.state].label)}</Badge>
        </p>
        <p className="font-mono text-small text-ink-2">{item.prefix}…</p>
        <p className="text-small text-ink-2">
          {item.scopes.map((scope) => text(scopeTexts[scope])).join(', ')} ·{' '}
          {text('integrations:perMinute', { count: item.calls_per_minute })}
        </p>
        <p className="text-small text-ink-2">
          {item.staff} · <DateTime instant={item.created_at} form="day" />
          {item.expires_at !== null && (
            <>
              {' '}
              – <DateTime instant={item.expires_at} form="day" />
            </>
          )}{' '}
          · {text('integrations:lastUsed')}{' '}
          {item.last_used_at === null ? text('integrations:neverUsed') : <DateTime instant={item.last_used_at} />}
        </p>
      </div>
      {item.state !== 'revoked' && (
        <Button size="s" busy={revoking.isPending} onPress={() => void revoke()}>
          {text('integrations:revoke')}
        </Button>
      )}
    </li>
  );
}
