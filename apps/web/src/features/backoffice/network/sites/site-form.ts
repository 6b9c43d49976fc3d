import { SiteSettings } from '@fpay/contract/admin/network/sites';
import { decimalOf } from '../../../../ui/form/decimal.ts';

/** The fields as they are typed: kilowatts, and stations separated by anything. Without hours their fields are not read. */
export interface SiteForm {
  name: string;
  limit: string;
  reserve: string;
  stations: string;
  hasQueue: boolean;
  hasHours: boolean;
  from: string;
  to: string;
  hoursLimit: string;
}
export type SiteField = Exclude<keyof SiteForm, 'hasHours' | 'hasQueue'>;

const noHours = { hasHours: false, from: '08:00', to: '20:00', hoursLimit: '' };
export const emptySite: SiteForm = { name: '', limit: '', reserve: '0', stations: '', hasQueue: false, ...noHours };

const wattsOf = (typed: string): number => Math.round(Number(decimalOf(typed) || 0) * 1000);

export function siteFormOf({ name, limit, reserve, stations, hours, has_queue }: SiteSettings): SiteForm {
  return {
    name,
    limit: String(limit / 1000),
    reserve: String(reserve / 1000),
    stations: stations.join(', '),
    hasQueue: has_queue,
    ...(hours ? { hasHours: true, from: hours.from, to: hours.to, hoursLimit: String(hours.limit / 1000) } : noHours),
  };
}

/** By the path in the request. */
const fieldOf: Record<string, SiteField> = {
  name: 'name',
  limit: 'limit',
  reserve: 'reserve',
  stations: 'stations',
  'hours.from': 'from',
  'hours.to': 'to',
  'hours.limit': 'hoursLimit',
};

/** The request, or the field that is wrong first. */
export function siteRequest(form: SiteForm): SiteSettings | { wrong: SiteField } {
  const { name, limit, reserve, stations, hasQueue, hasHours, from, to, hoursLimit } = form;
  const parsed = SiteSettings.safeParse({
    name: name.trim(),
    limit: wattsOf(limit),
    reserve: wattsOf(reserve),
    stations: stations.toUpperCase().match(/[^\s,;]+/g) ?? [],
    has_queue: hasQueue,
    hours: hasHours ? { from, to, limit: wattsOf(hoursLimit) } : null,
  });
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  return { wrong: fieldOf[path.join('.')] ?? fieldOf[String(path[0])] ?? 'name' };
}
