import {
  HoldFilter,
  holdFilters,
  StationText,
  StatusFilter,
  statusFilters,
  UserText,
} from '@fpay/contract/admin/filters';
import { type OperationFilters, operationCounts } from '@fpay/contract/admin/operations';
import { PaymentType } from '@fpay/contract/charging';
import { countOf } from '../parts/count-field.tsx';
import { instantOfKyiv } from '../parts/kyiv-time.ts';

export const statusChoices = Object.keys(statusFilters) as StatusFilter[];
export const holdChoices = Object.keys(holdFilters) as HoldFilter[];

/** Columns that can be sorted; the number is the server's own order. */
export const sortKeys = ['id', 'total', 'amount', 'energy', 'station', 'user'] as const;
export type SortKey = (typeof sortKeys)[number];

/** The list as its address describes it. Dates are Kyiv times, as they are typed. */
export interface ListAddress {
  station: string | null;
  user: string | null;
  status: StatusFilter | null;
  hold: HoldFilter | null;
  payment_type: PaymentType | null;
  from: string | null;
  to: string | null;
  count: number;
  sort: { key: SortKey; isDescending: boolean };
}

/** A value that is no filter, from an old link or a typing error, is left out. */
export function readAddress(params: URLSearchParams): ListAddress {
  const parsed = <Value>(name: string, schema: { safeParse(text: unknown): { data?: Value | undefined } }) => {
    const text = params.get(name);
    return text ? (schema.safeParse(text).data ?? null) : null;
  };
  const date = (name: string) => (instantOfKyiv(params.get(name) ?? '') === null ? null : params.get(name));
  return {
    station: parsed('station', StationText),
    user: parsed('user', UserText),
    status: parsed('status', StatusFilter),
    hold: parsed('hold', HoldFilter),
    payment_type: parsed('payment', PaymentType),
    from: date('from'),
    to: date('to'),
    count: countOf(params.get('count'), operationCounts.most) ?? operationCounts.default,
    sort: sortOf(params.get('sort') ?? ''),
  };
}

/** `-total`: the largest total first. */
function sortOf(text: string): ListAddress['sort'] {
  const key = sortKeys.find((known) => known === text.replace('-', ''));
  return key ? { key, isDescending: text.startsWith('-') } : { key: 'id', isDescending: true };
}

/** What differs from the usual list. */
export function writeAddress({ payment_type, count, sort, ...filters }: ListAddress): URLSearchParams {
  const isUsualSort = sort.key === 'id' && sort.isDescending;
  const values = {
    ...filters,
    payment: payment_type,
    count: count === operationCounts.default ? null : String(count),
    sort: isUsualSort ? null : `${sort.isDescending ? '-' : ''}${sort.key}`,
  };
  const set = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(set);
}

/** The body of the request. */
export function filtersOf({ from, to, count: _count, sort: _sort, ...filters }: ListAddress): OperationFilters {
  return { ...filters, from: from && instantOfKyiv(from), to: to && instantOfKyiv(to) };
}

/** How many filters are set. */
export function filterCount({ count: _count, sort: _sort, ...filters }: ListAddress): number {
  return Object.values(filters).filter((value) => value !== null).length;
}
