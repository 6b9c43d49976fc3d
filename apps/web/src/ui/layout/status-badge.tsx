import Car from 'lucide-react/icons/car';
import CircleCheck from 'lucide-react/icons/circle-check';
import PlugZap from 'lucide-react/icons/plug-zap';
import PowerOff from 'lucide-react/icons/power-off';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Zap from 'lucide-react/icons/zap';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Badge, type Tone } from './badge.tsx';

/** The status that a driver sees: out of service, unknown and a disconnected station are all `offline`. */
export type ShownStatus = Exclude<Tone, 'promo'>;

const icons = {
  free: CircleCheck,
  ready: PlugZap,
  charging: Zap,
  occupied: Car,
  offline: PowerOff,
  error: TriangleAlert,
} as const satisfies Record<ShownStatus, typeof Car>;

const words = {
  free: 'generic:free',
  ready: 'generic:ready',
  charging: 'generic:charging',
  occupied: 'generic:occupied',
  offline: 'generic:offline',
  error: 'generic:error',
} as const satisfies Record<ShownStatus, TextKey>;

/** One colour, one icon and one text per status, the same on every screen. */
export function StatusBadge({ status }: { status: ShownStatus }) {
  const text = useText();
  const Icon = icons[status];
  return (
    <Badge tone={status} icon={<Icon aria-hidden="true" size={16} strokeWidth={2.4} />}>
      {text(words[status])}
    </Badge>
  );
}
