import {
  HoldFilter,
  holdFilters,
  StationText,
  StatusFilter,
  statusFilters,
  UserText,
} from '@fpay/contract/admin/filters';
import { type OperationFilters, operationCounts } from '@fpay/contract/admin/operations';
import { type OperationSort, readSort, sortText } from '@fpay/contract/admin/sorts';
import { PaymentType } from '@fpay/contract/charging';
import { countOf } from '../parts/count-field.tsx';
import { instantOfKyiv } from '../parts/kyiv-time.ts';

export const statusChoices = Object.keys(statusFilters) as StatusFilter[];
export const holdChoices = Object.keys(holdFilters) as HoldFilter[];

const newest: OperationSort = { key: 'id', isDescending: true };

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
  sort: OperationSort;
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
    sort: readSort('operations', params.get('sort')) ?? newest,
  };
}

/** What differs from the usual list. */
export function writeAddress({ payment_type, count, sort, ...filters }: ListAddress): URLSearchParams {
  const values = {
    ...filters,
    payment: payment_type,
    count: count === operationCounts.default ? null : String(count),
    sort: sortText(sort),
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
