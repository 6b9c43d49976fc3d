import { SiteSettings } from '@fpay/contract/admin/network/sites';
import { decimalOf } from '../../../../ui/form/decimal.ts';
import { contractRules } from '../../parts/use-form.ts';

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

/** The request; what is not a number becomes 0 and is refused by the contract. */
export function siteRequest(form: SiteForm) {
  const { name, limit, reserve, stations, hasQueue, hasHours, from, to, hoursLimit } = form;
  return {
    name: name.trim(),
    limit: wattsOf(limit),
    reserve: wattsOf(reserve),
    stations: stations.toUpperCase().match(/[^\s,;]+/g) ?? [],
    has_queue: hasQueue,
    hours: hasHours ? { from, to, limit: wattsOf(hoursLimit) } : null,
  };
}

export const siteRules = contractRules(SiteSettings, siteRequest, {
  name: { path: 'name', text: 'networkSites:siteNameWrong' },
  limit: { path: 'limit', text: 'networkSites:siteLimitWrong' },
  reserve: { path: 'reserve', text: 'networkSites:siteReserveWrong' },
  stations: { path: 'stations', text: 'networkSites:siteStationsWrong' },
  from: { path: 'hours.from', text: 'networkSites:siteHoursWrong' },
  to: { path: 'hours.to', text: 'networkSites:siteHoursWrong' },
  hoursLimit: { path: 'hours.limit', text: 'networkSites:siteHoursLimitWrong' },
});
