import type { SiteSettings, SiteView } from '@fpay/contract/admin/network/sites';

/** What the form changes. */
export function siteSettingsOf({ name, limit, reserve, stations, hours, has_queue }: SiteView): SiteSettings {
  return { name, limit, reserve, stations, hours, has_queue };
}
