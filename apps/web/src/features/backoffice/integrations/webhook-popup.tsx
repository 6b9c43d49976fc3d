import {
  addWebhook,
  changeWebhook,
  type WebhookItem,
  type WebhookKind,
  WebhookSettings,
  webhookKinds,
} from '@fpay/contract/admin/integrations/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { CheckList } from './check-list.tsx';
import { integrationsKey } from './queries.ts';

export const eventTexts = {
  'operation.opened': 'integrations:eventOpened',
  'operation.started': 'integrations:eventStarted',
  'operation.finished': 'integrations:eventFinished',
  'operation.failed': 'integrations:eventFailed',
  'operation.settled': 'integrations:eventSettled',
  'operation.refunded': 'integrations:eventRefunded',
} as const satisfies Record<WebhookKind, TextKey>;

interface WebhookPopupProps {
  /** Null for a new one. */
  webhook: WebhookItem | null;
  onClose: () => void;
  /** The secret of a new one. */
  onDone: (secret: string | null) => void;
}

/** Adds an endpoint, or changes its address and events. */
export function WebhookPopup({ webhook, onClose, onDone }: WebhookPopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? 'https://');
  const [kinds, setKinds] = useState<WebhookKind[]>(webhook?.kinds ?? ['operation.finished', 'operation.settled']);
  const [wrong, setWrong] = useState<'name' | 'url' | 'kinds' | null>(null);
  const saving = useMutation({
    mutationFn: async (body: WebhookSettings) => {
      if (webhook === null) return (await call(addWebhook, { body })).secret;
      await call(changeWebhook, { params: { id: String(webhook.id) }, body });
      return null;
    },
    onSuccess: (secret) => {
      void queryClient.invalidateQueries({ queryKey: integrationsKey });
      onDone(secret);
    },
  });
  function save(event: FormEvent) {
    event.preventDefault();
    const parsed = WebhookSettings.safeParse({ name: name.trim(), url: url.trim(), kinds });
    const [field] = parsed.error?.issues[0]?.path ?? [];
    setWrong((['name', 'url', 'kinds'] as const).find((one) => one === field) ?? null);
    if (parsed.success && !saving.isPending) saving.mutate(parsed.data);
  }
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(webhook === null ? 'integrations:webhookAdd' : 'integrations:webhookChange')}
      titleClassName="text-h2"
    >
      <form className="flex flex-col gap-4" onSubmit={save}>
        <Field
          label={text('integrations:name')}
          error={wrong === 'name' ? text('integrations:nameWrong') : undefined}
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={text('integrations:address')}
          hint={text('integrations:addressHint')}
          error={wrong === 'url' ? text('integrations:addressWrong') : undefined}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <CheckList
          legend={text('integrations:events')}
          choices={webhookKinds.map((value) => ({ value, label: text(eventTexts[value]) }))}
          chosen={kinds}
          onChange={setKinds}
          error={wrong === 'kinds' ? text('integrations:chooseOne') : undefined}
        />
        {saving.error && (
          <p role="alert" className="text-note text-error">
            {text(errorText(saving.error))}
          </p>
        )}
        <Button type="submit" kind="main" busy={saving.isPending}>
          {text(webhook === null ? 'integrations:create' : 'integrations:save')}
        </Button>
      </form>
    </PopupFrame>
  );
}
