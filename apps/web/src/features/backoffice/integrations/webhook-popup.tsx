import {
  addWebhook,
  changeWebhook,
  type WebhookItem,
  type WebhookKind,
  WebhookSettings,
  webhookKinds,
} from '@fpay/contract/admin/integrations/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { CheckList } from '../parts/check-list.tsx';
import { contractRules, useForm } from '../parts/use-form.ts';
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

const webhookRequest = ({ name, url, kinds }: WebhookSettings) => ({ name: name.trim(), url: url.trim(), kinds });
const rules = contractRules(WebhookSettings, webhookRequest, {
  name: { path: 'name', text: 'integrations:nameWrong' },
  url: { path: 'url', text: 'integrations:addressWrong' },
  kinds: { path: 'kinds', text: 'integrations:chooseOne' },
});
const emptyWebhook: WebhookSettings = { name: '', url: 'https://', kinds: ['operation.finished', 'operation.settled'] };

/** Adds an endpoint, or changes its address and events. */
export function WebhookPopup({ webhook, onClose, onDone }: WebhookPopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const form = useForm({
    start: (webhook ?? emptyWebhook) as WebhookSettings,
    rules,
    send: async (typed) => {
      const body = webhookRequest(typed);
      if (webhook === null) return (await call(addWebhook, { body })).secret;
      await call(changeWebhook, { params: { id: String(webhook.id) }, body });
      return null;
    },
    onSuccess: (secret) => {
      void queryClient.invalidateQueries({ queryKey: integrationsKey });
      onDone(secret);
    },
  });
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(webhook === null ? 'integrations:webhookAdd' : 'integrations:webhookChange')}
      titleClassName="text-h2"
    >
      <form {...form.props} className="flex flex-col gap-4">
        <Field label={text('integrations:name')} maxLength={80} {...form.field('name')} />
        <Field
          label={text('integrations:address')}
          hint={text('integrations:addressHint')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          {...form.field('url')}
        />
        <CheckList
          legend={text('integrations:events')}
          choices={webhookKinds.map((value) => ({ value, label: text(eventTexts[value]) }))}
          chosen={form.typed.kinds}
          onChange={(kinds) => form.change({ kinds })}
          error={form.errorOf('kinds')}
        />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text(webhook === null ? 'integrations:create' : 'integrations:save')}
        </Button>
      </form>
    </PopupFrame>
  );
}
