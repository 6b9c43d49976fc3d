import { type ApiScope, addApiKey, apiScopes, NewApiKey } from '@fpay/contract/admin/integrations/api-keys';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { CheckList } from '../parts/check-list.tsx';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import { contractRules, useForm } from '../parts/use-form.ts';
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

interface TypedKey {
  name: string;
  scopes: ApiScope[];
  calls_per_minute: string;
  lifetime: Lifetime;
}

const start: TypedKey = { name: '', scopes: ['stations'], calls_per_minute: '60', lifetime: '365' };
const keyRequest = ({ name, scopes, calls_per_minute, lifetime }: TypedKey): NewApiKey => ({
  name: name.trim(),
  scopes,
  calls_per_minute: Number(calls_per_minute),
  expires_at: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
});
const rules = contractRules(NewApiKey, keyRequest, {
  name: { path: 'name', text: 'integrations:nameWrong' },
  scopes: { path: 'scopes', text: 'integrations:chooseOne' },
  calls_per_minute: { path: 'calls_per_minute', text: 'integrations:limitWrong' },
});

/** Creates a key with its scopes, its limit and its end. */
export function KeyPopup({ onClose, onDone }: { onClose: () => void; onDone: (key: string) => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const form = useForm({
    start,
    rules,
    send: (typed) => call(addApiKey, { body: keyRequest(typed) }),
    onSuccess: ({ key }) => {
      void queryClient.invalidateQueries({ queryKey: integrationsKey });
      onDone(key);
    },
  });
  const { typed, change } = form;
  const labels: Record<Lifetime, string> = {
    '90': text('integrations:days90'),
    '365': text('integrations:year'),
    never: text('integrations:noEnd'),
  };
  return (
    <PopupFrame open onClose={onClose} title={text('integrations:keyAdd')} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field
          label={text('integrations:name')}
          hint={text('integrations:keyNameHint')}
          maxLength={80}
          {...form.field('name')}
        />
        <CheckList
          legend={text('integrations:scopes')}
          choices={apiScopes.map((value) => ({ value, label: text(scopeTexts[value]) }))}
          chosen={typed.scopes}
          onChange={(scopes) => change({ scopes })}
          error={form.errorOf('scopes')}
        />
        <Field label={text('integrations:limit')} inputMode="numeric" {...form.field('calls_per_minute')} />
        <ChoiceChips
          legend={text('integrations:lifetime')}
          value={typed.lifetime}
          onChange={(lifetime) => change({ lifetime })}
          choices={lifetimes.map((value) => ({ value, label: labels[value] }))}
          wraps
        />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('integrations:create')}
        </Button>
      </form>
    </PopupFrame>
  );
}
