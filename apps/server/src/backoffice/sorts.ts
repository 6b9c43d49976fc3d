import { listSorts, readSort, type Sort, type SortedList, type SortKey } from '@fpay/contract/admin/sorts';
import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../platform/refusal.ts';

/** The sort of a list, or 400 with those that it has. */
export function sortOf<List extends SortedList>(list: List, text: string | null | undefined): Sort<SortKey<List>> {
  const sort = readSort(list, text);
  if (sort) return sort;
  const known = listSorts[list].map((key) => `${key}, -${key}`).join(', ');
  throw new Refusal('unknown_sort', { message: `This list has no such sort. It can be sorted by ${known}.` });
}

/** Both columns in one direction, so that one index serves both directions. */
export const ordered = (key: RawBuilder<unknown>, id: RawBuilder<unknown>, isDescending: boolean) =>
  isDescending ? sql`order by ${key} desc, ${id} desc` : sql`order by ${key}, ${id}`;

/** What follows a row that the caller has. */
export const beyond = (
  key: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  last: { key: RawBuilder<unknown> | number; id: number },
  isDescending: boolean,
) => sql<boolean>`(${key}, ${id}) ${isDescending ? sql`<` : sql`>`} (${last.key}, ${last.id})`;
