import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import type { ListAddress, SortKey } from './filters.ts';

const values = {
  id: ({ id }) => id,
  total: ({ total }) => total,
  amount: ({ amount }) => amount,
  energy: ({ energy }) => energy,
  station: ({ station }) => station,
  user: ({ user }) => user.name,
} as const satisfies Record<SortKey, (row: AdminOperationItem) => number | string>;

/** Sorts the loaded rows. The server's order is the newest first, and rows that are equal keep it. */
export function sorted(rows: readonly AdminOperationItem[], { key, isDescending }: ListAddress['sort']) {
  const read = values[key];
  const compare = (one: AdminOperationItem, other: AdminOperationItem) => {
    const a = read(one);
    const b = read(other);
    if (typeof a === 'string') return a.localeCompare(String(b), 'uk');
    return a - Number(b);
  };
  return rows.toSorted((one, other) => (isDescending ? compare(other, one) : compare(one, other)));
}
