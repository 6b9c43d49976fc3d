import type { Today } from '@fpay/contract/admin/stats';
import type { Permission } from '@fpay/contract/roles';
import BadgePercent from 'lucide-react/icons/badge-percent';
import CalendarDays from 'lucide-react/icons/calendar-days';
import ChartColumn from 'lucide-react/icons/chart-column';
import EvCharger from 'lucide-react/icons/ev-charger';
import Gauge from 'lucide-react/icons/gauge';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import House from 'lucide-react/icons/house';
import Landmark from 'lucide-react/icons/landmark';
import MapIcon from 'lucide-react/icons/map';
import MapPin from 'lucide-react/icons/map-pin';
import MessageCircle from 'lucide-react/icons/message-circle';
import Nfc from 'lucide-react/icons/nfc';
import Power from 'lucide-react/icons/power';
import ScrollText from 'lucide-react/icons/scroll-text';
import Star from 'lucide-react/icons/star';
import Users from 'lucide-react/icons/users';
import UsersRound from 'lucide-react/icons/users-round';
import Webhook from 'lucide-react/icons/webhook';
import Zap from 'lucide-react/icons/zap';
import type { TextKey } from '../../i18n/text-key.ts';

export interface MenuEntry {
  to: string;
  icon: typeof House;
  label: TextKey;
  /** The permission without which the page's calls are refused; null for the page's own. */
  needs: Permission | null;
  group: 'work' | 'network' | 'system';
  /** Addresses of other views of the same page. */
  also?: readonly string[];
  /** The addresses below it belong to other entries. */
  isExact?: boolean;
  /** On a phone these are in the bar; the others are under 'more'. */
  isFirst?: boolean;
  count?: (today: Today) => { value: number; isUrgent: boolean } | null;
}

/** The pages of the back office in the order of the navigation. */
export const entries: readonly MenuEntry[] = [
  { to: '/admin', icon: House, label: 'admin:home', needs: null, group: 'work', isFirst: true },
  {
    to: '/admin/cases',
    icon: MessageCircle,
    label: 'admin:cases',
    needs: 'monitor-users',
    group: 'work',
    isFirst: true,
    count: ({ attention }) => attention && { value: attention.cases ?? 0, isUrgent: true },
  },
  {
    to: '/admin/operations',
    icon: Zap,
    label: 'admin:operations',
    needs: 'monitor-operations',
    group: 'work',
    isFirst: true,
    count: ({ running }) => running && { value: running.now, isUrgent: false },
  },
  {
    to: '/admin/users',
    icon: Users,
    label: 'admin:users',
    needs: 'monitor-users',
    group: 'work',
  },
  { to: '/admin/feedback', icon: Star, label: 'admin:feedback', needs: null, group: 'work' },
  { to: '/admin/stats', icon: ChartColumn, label: 'admin:stats', needs: 'see-stats', group: 'work' },
  {
    to: '/admin/money',
    icon: Landmark,
    label: 'admin:moneyCases',
    needs: 'manipulate-payments',
    group: 'work',
    count: ({ attention }) =>
      attention && { value: (attention.money ?? 0) + (attention.approvals ?? 0), isUrgent: true },
  },
  {
    to: '/admin/anomalies',
    icon: HeartPulse,
    label: 'admin:health',
    needs: 'monitor-operations',
    group: 'work',
    also: ['/admin/terminator', '/admin/counters', '/admin/system'],
    count: ({ attention }) =>
      attention && { value: attention.anomalies + attention.counters + attention.terminator, isUrgent: true },
  },
  {
    to: '/admin/network',
    icon: MapIcon,
    label: 'admin:overview',
    needs: 'view-network',
    group: 'network',
    isExact: true,
  },
  {
    to: '/admin/network/charge-points',
    icon: EvCharger,
    label: 'admin:chargePoints',
    needs: 'view-network',
    group: 'network',
  },
  {
    to: '/admin/network/stations',
    icon: MapPin,
    label: 'admin:stations',
    needs: 'view-network',
    group: 'network',
    also: ['/admin/network/import'],
  },
  { to: '/admin/network/tariffs', icon: BadgePercent, label: 'admin:tariffs', needs: 'view-network', group: 'network' },
  {
    to: '/admin/network/promotions',
    icon: CalendarDays,
    label: 'admin:promotions',
    needs: 'view-network',
    group: 'network',
  },
  { to: '/admin/network/parties', icon: UsersRound, label: 'admin:parties', needs: 'view-network', group: 'network' },
  { to: '/admin/network/rfid', icon: Nfc, label: 'admin:cards', needs: 'view-network', group: 'network' },
  { to: '/admin/network/sites', icon: Gauge, label: 'admin:sites', needs: 'view-network', group: 'network' },
  {
    to: '/admin/integrations',
    icon: Webhook,
    label: 'admin:integrations',
    needs: 'manage-integrations',
    group: 'system',
  },
  { to: '/admin/audit', icon: ScrollText, label: 'admin:audit', needs: 'manage-app', group: 'system' },
  { to: '/admin/shutdown', icon: Power, label: 'admin:shutdown', needs: 'manage-app', group: 'system' },
];

/** A page of one item belongs to the page of its list. */
export function isCurrent(
  { to, also = [], isExact = false }: Pick<MenuEntry, 'to' | 'also' | 'isExact'>,
  pathname: string,
): boolean {
  if (isExact || to === '/admin') return pathname === to;
  return [to, ...also].some((address) => pathname === address || pathname.startsWith(`${address}/`));
}

/** The entries whose pages this user may open. */
export function entriesFor(permissions: readonly Permission[]): MenuEntry[] {
  return entries.filter(({ needs }) => needs === null || permissions.includes(needs));
}
