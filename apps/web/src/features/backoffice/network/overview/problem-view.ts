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
  stuck: { icon: OctagonX, label: 'network:kindStuck', well: 'bg-error-tint text-error', dot: 'bg-error-fill' },
  faulted: {
    icon: TriangleAlert,
    label: 'network:kindFaulted',
    well: 'bg-error-tint text-error',
    dot: 'bg-error-fill',
  },
  failing: {
    icon: Hourglass,
    label: 'network:kindFailing',
    well: 'bg-occupied-tint text-occupied',
    dot: 'bg-occupied-fill',
  },
  offline: {
    icon: WifiOff,
    label: 'network:kindOffline',
    well: 'bg-offline-tint text-offline',
    dot: 'bg-offline-fill',
  },
} as const satisfies Record<ProblemKind, { icon: typeof WifiOff; label: TextKey; well: string; dot: string }>;

export const reasonTexts = {
  bank: 'network:whyBank',
  not_started: 'network:whyNotStarted',
  rejected: 'network:whyRejected',
  fault: 'network:whyFault',
  offline: 'network:whyOffline',
  retried: 'network:whyRetried',
  other: 'network:whyOther',
} as const satisfies Record<AttemptReason, TextKey>;

/** What is wrong, in a few words. */
export function problemText({ kind, error_code, operation, connector }: NetworkProblem): string {
  const what = {
    stuck: operation === null ? text('network:problemStuck') : text('network:problemStop'),
    faulted: error_code && error_code !== 'NoError' ? error_code : text('network:problemFaulted'),
    failing: text('network:problemFailing'),
    offline: text('network:problemOffline'),
  }[kind];
  return connector === null ? what : `${what} · № ${connector}`;
}

/** How long it has lasted: minutes, hours, then days. */
export function problemAge(since: string | null, now: number): string {
  if (since === null) return '—';
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes < 60) return text('network:minutesShort', { count: minutes });
  if (minutes < 48 * 60) return text('network:hoursShort', { count: Math.floor(minutes / 60) });
  return text('network:daysShort', { count: Math.floor(minutes / 1_440) });
}
