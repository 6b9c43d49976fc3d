import { approvals } from '@fpay/contract/admin/approvals';
import { type MoneyKind, moneyCases, moneyOverview } from '@fpay/contract/admin/money';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { allRows } from '../../../data/all-rows.ts';
import { pollMs } from '../queries.ts';

export const moneyKey = ['backoffice', 'money'] as const;

const pageSize = 50;

export const moneyQueries = {
  overview: () =>
    queryOptions({
      queryKey: [...moneyKey, 'overview'],
      queryFn: ({ signal }) => call(moneyOverview, { signal }),
      staleTime: 0,
      refetchInterval: pollMs,
    }),
  cases: (kind: MoneyKind) =>
    infiniteQueryOptions({
      queryKey: [...moneyKey, 'cases', kind],
      queryFn: ({ pageParam, signal }) =>
        call(moneyCases, {
          params: { kind },
          query: { limit: String(pageSize), ...(pageParam && { before: String(pageParam) }) },
          signal,
        }),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
      select: allRows,
      staleTime: 0,
    }),
  approvals: () =>
    queryOptions({
      queryKey: [...moneyKey, 'approvals'],
      queryFn: ({ signal }) => call(approvals, { signal }),
      staleTime: 0,
      refetchInterval: pollMs,
    }),
};
