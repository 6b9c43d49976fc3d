import type { Today } from '@fpay/contract/admin/stats';
import type { Permission } from '@fpay/contract/roles';
import BadgePercent from 'lucide-react/icons/badge-percent';
import CalendarDays from 'lucide-react/icons/calendar-days';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import House from 'lucide-react/icons/house';
import MapPin from 'lucide-react/icons/map-pin';
import Nfc from 'lucide-react/icons/nfc';
import Power from 'lucide-react/icons/power';
import Users from 'lucide-react/icons/users';
import UsersRound from 'lucide-react/icons/users-round';
import Zap from 'lucide-react/icons/zap';
import type { TextKey } from '../../../i18n/text-key.ts';

export interface MenuEntry {
  to: string;
  icon: typeof House;
  label: TextKey;
  /** The permission without which the page's calls are refused; null for the page's own. */
  needs: Permission | null;
  group: 'work' | 'network' | 'system';
  /** Addresses of other views of the same page. */
  also?: readonly string[];
  /** On a phone these are in the bar; the others are under 'more'. */
  isFirst?: boolean;
  count?: (today: Today) => { value: number; isUrgent: boolean } | null;
}

/** The pages of the back office in the order of the navigation. */
export const entries: readonly MenuEntry[] = [
  { to: '/admin', icon: House, label: 'admin:home', needs: null, group: 'work', isFirst: true },
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
    isFirst: true,
  },
  {
    to: '/admin/anomalies',
    icon: HeartPulse,
    label: 'admin:health',
    needs: 'monitor-operations',
    group: 'work',
    also: ['/admin/terminator', '/admin/counters'],
    count: ({ attention }) =>
      attention && { value: attention.anomalies + attention.counters + attention.terminator, isUrgent: true },
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
  { to: '/admin/shutdown', icon: Power, label: 'admin:shutdown', needs: 'manage-app', group: 'system' },
];

/** A page of one item belongs to the page of its list. */
export function isCurrent({ to, also = [] }: Pick<MenuEntry, 'to' | 'also'>, pathname: string): boolean {
  if (to === '/admin') return pathname === to;
  return [to, ...also].some((address) => pathname === address || pathname.startsWith(`${address}/`));
}

/** The entries whose pages this user may open. */
export function entriesFor(permissions: readonly Permission[]): MenuEntry[] {
  return entries.filter(({ needs }) => needs === null || permissions.includes(needs));
}
