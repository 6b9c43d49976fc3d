import { type ApiScope, addApiKey, apiScopes, NewApiKey } from '@fpay/contract/admin/integrations/api-keys';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import { CheckList } from './check-list.tsx';
import { integrationsKey } from './queries.ts';

export const scopeTexts = {
  stations: 'integrations:scopeStations',
  operations: 'integrations:scopeOperations',
  statistics: 'integrations:scopeStatistics',
  webhooks: 'integrations:scopeWebhooks',
} as const satisfies Record<ApiScope, TextKey>;

const lifetimes = ['90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];
const dayMs = 86_400_000;

/** Creates a key with its scopes, its limit and its end. */
export function KeyPopup({ onClose, onDone }: { onClose: () => void; onDone: (key: string) => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ApiScope[]>(['stations']);
  const [limit, setLimit] = useState('60');
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [wrong, setWrong] = useState<'name' | 'scopes' | 'calls_per_minute' | null>(null);
  const adding = useMutation({
    mutationFn: (body: NewApiKey) => call(addApiKey, { body }),
    onSuccess: ({ key }) => {
      void queryClient.invalidateQueries({ queryKey: integrationsKey });
      onDone(key);
    },
  });
  function add(event: FormEvent) {
    event.preventDefault();
    const expires = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString();
    const body = { name: name.trim(), scopes, calls_per_minute: Number(limit), expires_at: expires };
    const parsed = NewApiKey.safeParse(body);
    const [field] = parsed.error?.issues[0]?.path ?? [];
    setWrong((['name', 'scopes', 'calls_per_minute'] as const).find((one) => one === field) ?? null);
    if (parsed.success && !adding.isPending) adding.mutate(parsed.data);
  }
  const labels: Record<Lifetime, string> = {
    '90': text('integrations:days90'),
    '365': text('integrations:year'),
    never: text('integrations:noEnd'),
  };
  return (
    <PopupFrame open onClose={onClose} title={text('integrations:keyAdd')} titleClassName="text-h2">
      <form className="flex flex-col gap-4" onSubmit={add}>
        <Field
          label={text('integrations:name')}
          hint={text('integrations:keyNameHint')}
          error={wrong === 'name' ? text('integrations:nameWrong') : undefined}
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <CheckList
          legend={text('integrations:scopes')}
          choices={apiScopes.map((value) => ({ value, label: text(scopeTexts[value]) }))}
          chosen={scopes}
          onChange={setScopes}
          error={wrong === 'scopes' ? text('integrations:chooseOne') : undefined}
        />
        <Field
          label={text('integrations:limit')}
          error={wrong === 'calls_per_minute' ? text('integrations:limitWrong') : undefined}
          inputMode="numeric"
          value={limit}
          onChange={({ target }) => setLimit(target.value)}
        />
        <ChoiceChips
          legend={text('integrations:lifetime')}
          value={lifetime}
          onChange={setLifetime}
          choices={lifetimes.map((value) => ({ value, label: labels[value] }))}
          wraps
        />
        {adding.error && (
          <p role="alert" className="text-note text-error">
            {text(errorText(adding.error))}
          </p>
        )}
        <Button type="submit" kind="main" busy={adding.isPending}>
          {text('integrations:create')}
        </Button>
      </form>
    </PopupFrame>
  );
}
