import * as z from 'zod/mini';

/**
 * How staff may sort a list. Each sort is over the whole list and has an index, so the set is small. The first is the usual
 * one, and `id` is the order of creation.
 */
export const listSorts = {
  operations: ['id', 'total', 'amount', 'energy'],
  users: ['id', 'last_login', 'name'],
  feedback: ['id', 'rating'],
  cases: ['id', 'changed'],
} as const;
export type SortedList = keyof typeof listSorts;
export type SortKey<List extends SortedList> = (typeof listSorts)[List][number];

export interface Sort<Key extends string> {
  key: Key;
  isDescending: boolean;
}

export type OperationSort = Sort<SortKey<'operations'>>;
export type UserSort = Sort<SortKey<'users'>>;
export type FeedbackSort = Sort<SortKey<'feedback'>>;
export type CaseSort = Sort<SortKey<'cases'>>;

/** `-total`: the largest total first. A text that is no sort of the list is refused by the server with 400. */
export const SortText = z.optional(z.nullable(z.string().check(z.maxLength(40))));

/** Null: the list has no such sort. Without a text it is the usual one, newest first. */
export function readSort<List extends SortedList>(
  list: List,
  text: string | null | undefined,
): Sort<SortKey<List>> | null {
  if (!text) return { key: 'id', isDescending: true };
  const isDescending = text.startsWith('-');
  const keys: readonly SortKey<List>[] = listSorts[list];
  const key = keys.find((known) => known === text.slice(isDescending ? 1 : 0));
  return key === undefined ? null : { key, isDescending };
}

/** Null: the usual sort, which needs no text. */
export function sortText({ key, isDescending }: Sort<string>): string | null {
  if (key === 'id' && isDescending) return null;
  return `${isDescending ? '-' : ''}${key}`;
}
