import { SiteSettings } from '@fpay/contract/admin/network/sites';
import { decimalOf } from '../../../../ui/form/decimal.ts';

/** The fields as they are typed: kilowatts, and stations separated by anything. */
export interface SiteForm {
  name: string;
  limit: string;
  reserve: string;
  stations: string;
}

export const emptySite: SiteForm = { name: '', limit: '', reserve: '0', stations: '' };

const wattsOf = (typed: string): number => Math.round(Number(decimalOf(typed) || 0) * 1000);

export function siteFormOf({ name, limit, reserve, stations }: SiteSettings): SiteForm {
  return { name, limit: String(limit / 1000), reserve: String(reserve / 1000), stations: stations.join(', ') };
}

/** The request, or the field that is wrong first. */
export function siteRequest({ name, limit, reserve, stations }: SiteForm): SiteSettings | { wrong: keyof SiteForm } {
  const parsed = SiteSettings.safeParse({
    name: name.trim(),
    limit: wattsOf(limit),
    reserve: wattsOf(reserve),
    stations: stations.toUpperCase().match(/[^\s,;]+/g) ?? [],
  });
  if (parsed.success) return parsed.data;
  const [field] = parsed.error.issues[0]?.path ?? [];
  return { wrong: (['name', 'limit', 'reserve', 'stations'] as const).find((one) => one === field) ?? 'name' };
}
