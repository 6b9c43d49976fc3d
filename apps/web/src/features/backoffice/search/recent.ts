import type { Found } from '@fpay/contract/admin/search';

/** Something that staff opened from the search. */
export interface RecentItem {
  kind: Found['kind'];
  to: string;
  title: string;
  detail: string;
}

const storageKey = 'staff.recent';
const most = 8;

/** What this member of staff opened last; items of another one on the same device are not shown. */
export function recentItems(staff: number): RecentItem[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    const { of, items } = (stored ?? {}) as { of?: unknown; items?: unknown };
    return of === staff && Array.isArray(items) ? items.filter(isItem).slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberItem(staff: number, item: RecentItem): void {
  const items = [item, ...recentItems(staff).filter(({ to }) => to !== item.to)].slice(0, most);
  try {
    localStorage.setItem(storageKey, JSON.stringify({ of: staff, items }));
  } catch {
    // A full or forbidden storage only costs the list of recent items.
  }
}

function isItem(value: unknown): value is RecentItem {
  const { to, title, detail } = (value ?? {}) as Record<string, unknown>;
  return typeof to === 'string' && to.startsWith('/admin/') && typeof title === 'string' && typeof detail === 'string';
}

/** The page of a result. Stations and charge points open their operations; a payment its operation, a tag its user. */
export function pageOf({ kind, id, operation_id, user_id, station, title }: Found): string {
  if (kind === 'operation') return `/admin/operations/${id}`;
  if (kind === 'user') return `/admin/users/${id}`;
  if (kind === 'page_error') return `/admin/page-errors/${title}`;
  if (operation_id !== null) return `/admin/operations/${operation_id}`;
  if (user_id !== null) return `/admin/users/${user_id}`;
  return station === null ? '/admin/operations' : `/admin/operations?station=${encodeURIComponent(station)}`;
}
