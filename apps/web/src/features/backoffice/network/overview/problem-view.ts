import type { AttemptReason, NetworkProblem } from '@fpay/contract/admin/network/overview';
import Hourglass from 'lucide-react/icons/hourglass';
import OctagonX from 'lucide-react/icons/octagon-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import WifiOff from 'lucide-react/icons/wifi-off';
import { text } from '../../../../i18n/i18n.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';

export type ProblemKind = NetworkProblem['kind'];

/** One sign and one colour for each kind, in the list and on the map. */
export const problemViews = {
  stuck: { icon: OctagonX, label: 'networkOverview:kindStuck', well: 'bg-error-tint text-error', dot: 'bg-error-fill' },
  faulted: {
    icon: TriangleAlert,
    label: 'networkOverview:kindFaulted',
    well: 'bg-error-tint text-error',
    dot: 'bg-error-fill',
  },
  failing: {
    icon: Hourglass,
    label: 'networkOverview:kindFailing',
    well: 'bg-occupied-tint text-occupied',
    dot: 'bg-occupied-fill',
  },
  offline: {
    icon: WifiOff,
    label: 'networkOverview:kindOffline',
    well: 'bg-offline-tint text-offline',
    dot: 'bg-offline-fill',
  },
} as const satisfies Record<ProblemKind, { icon: typeof WifiOff; label: TextKey; well: string; dot: string }>;

export const reasonTexts = {
  bank: 'networkOverview:whyBank',
  not_started: 'networkOverview:whyNotStarted',
  rejected: 'networkOverview:whyRejected',
  fault: 'networkOverview:whyFault',
  offline: 'networkOverview:whyOffline',
  retried: 'networkOverview:whyRetried',
  other: 'networkOverview:whyOther',
} as const satisfies Record<AttemptReason, TextKey>;

/** What is wrong, in a few words. */
export function problemText({ kind, error_code, operation, connector }: NetworkProblem): string {
  const what = {
    stuck: operation === null ? text('networkOverview:problemStuck') : text('networkOverview:problemStop'),
    faulted: error_code && error_code !== 'NoError' ? error_code : text('networkOverview:problemFaulted'),
    failing: text('networkOverview:problemFailing'),
    offline: text('networkOverview:problemOffline'),
  }[kind];
  return connector === null ? what : `${what} · № ${connector}`;
}

/** How long it has lasted: minutes, hours, then days. */
export function problemAge(since: string | null, now: number): string {
  if (since === null) return '—';
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes < 60) return text('networkOverview:minutesShort', { count: minutes });
  if (minutes < 48 * 60) return text('networkOverview:hoursShort', { count: Math.floor(minutes / 60) });
  return text('networkOverview:daysShort', { count: Math.floor(minutes / 1_440) });
}
