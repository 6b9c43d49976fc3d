import type { CaseEntry, CaseEvent, CaseItem, CaseSource, MessageState } from '@fpay/contract/admin/cases';
import type { text as translate } from '../../../i18n/i18n.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import type { Tone } from '../../../ui/layout/badge.tsx';

type Text = typeof translate;

export const sourceLabels = {
  report: 'adminCases:sourceReport',
  rating: 'adminCases:sourceRating',
  anomaly: 'adminCases:sourceAnomaly',
  call: 'adminCases:sourceCall',
} as const satisfies Record<CaseSource, TextKey>;

/** What the driver wrote, or what the case is about when nothing was written. */
export function caseTitle(item: Pick<CaseItem, 'subject' | 'source' | 'rating'>, text: Text): string {
  if (item.subject) return item.subject;
  switch (item.source) {
    case 'rating':
      return text('adminCases:rated', { rating: item.rating ?? 1 });
    case 'report':
      return text('adminCases:reported');
    case 'anomaly':
      return text('adminCases:anomaly');
    case 'call':
      return text('adminCases:called');
  }
}

export interface CaseBadge {
  label: TextKey;
  tone: Tone;
}

/** The state as the reader sees it: of open cases it matters whose they are. */
export function caseBadge({ state, owner }: Pick<CaseItem, 'state' | 'owner'>, reader: number): CaseBadge {
  if (state === 'waiting') return { label: 'adminCases:stateWaiting', tone: 'free' };
  if (state === 'snoozed') return { label: 'adminCases:stateSnoozed', tone: 'offline' };
  if (state === 'closed') return { label: 'adminCases:stateClosed', tone: 'offline' };
  if (!owner) return { label: 'adminCases:stateNew', tone: 'error' };
  if (owner.id === reader) return { label: 'adminCases:stateMine', tone: 'charging' };
  return { label: 'adminCases:stateOpen', tone: 'occupied' };
}

const channelTexts = {
  push: { queued: 'adminCases:pushQueued', sent: 'adminCases:pushSent', failed: 'adminCases:pushFailed' },
  telegram: {
    queued: 'adminCases:telegramQueued',
    sent: 'adminCases:telegramSent',
    failed: 'adminCases:telegramFailed',
  },
  sms: {
    queued: 'adminCases:smsQueued',
    accepted: 'adminCases:smsAccepted',
    delivered: 'adminCases:smsDelivered',
    failed: 'adminCases:smsFailed',
    unknown: 'adminCases:smsUnknown',
  },
} as const satisfies Record<string, Partial<Record<MessageState, TextKey>>>;

/** What each channel of an answer has reported, and whether the driver has opened it. */
export function deliveryTexts(entry: Pick<CaseEntry, 'push' | 'telegram' | 'sms' | 'read_at'>): TextKey[] {
  const known: Record<string, Partial<Record<MessageState, TextKey>>> = channelTexts;
  const reported = (['push', 'telegram', 'sms'] as const).flatMap((channel) => {
    const state = entry[channel];
    return (state && known[channel]?.[state]) ?? [];
  });
  const channels: TextKey[] = reported.length > 0 ? reported : ['adminCases:inThread'];
  return entry.read_at ? [...channels, 'adminCases:read'] : channels;
}

const eventTexts = {
  opened: 'adminCases:eventOpened',
  joined: 'adminCases:eventJoined',
  snoozed: 'adminCases:eventSnoozed',
  woke: 'adminCases:eventWoke',
  closed: 'adminCases:eventClosed',
  reopened: 'adminCases:eventReopened',
} as const satisfies Record<Exclude<CaseEvent, 'assigned'>, TextKey>;

export function eventText({ event, staff, assignee }: CaseEntry, text: Text): string {
  if (event === null) return '';
  if (event !== 'assigned') return text(eventTexts[event]);
  if (!assignee) return text('adminCases:eventFreed');
  const { name } = assignee;
  return assignee.id === staff?.id
    ? text('adminCases:eventTaken', { name })
    : text('adminCases:eventAssigned', { name });
}
