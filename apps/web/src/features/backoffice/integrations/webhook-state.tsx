import type { WebhookItem } from '@fpay/contract/admin/integrations/webhooks';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Badge, type Tone } from '../../../ui/layout/badge.tsx';

const states = {
  active: { label: 'integrations:hookActive', tone: 'free' },
  paused_by_staff: { label: 'integrations:hookPaused', tone: 'offline' },
  paused_by_failures: { label: 'integrations:hookFailing', tone: 'error' },
} as const satisfies Record<WebhookItem['state'], { label: TextKey; tone: Tone }>;

export function WebhookState({ state }: Pick<WebhookItem, 'state'>) {
  const text = useText();
  return <Badge tone={states[state].tone}>{text(states[state].label)}</Badge>;
}
