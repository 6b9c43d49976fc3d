import { countOperations, lastOperations, type OperationFilters } from '@fpay/contract/admin/operations';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { pollMs, pollWithoutMessages } from '../queries.ts';

const all = ['backoffice', 'operations'] as const;

export const operationQueries = {
  list: (filters: OperationFilters, count: number) =>
    infiniteQueryOptions({
      queryKey: [...all, 'list', filters, count],
      queryFn: ({ pageParam, signal }) =>
        call(lastOperations, { params: { count: String(count) }, body: { ...filters, before: pageParam }, signal }),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < count ? null : (page.at(-1)?.id ?? null)),
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
  count: (filters: OperationFilters) =>
    queryOptions({
      queryKey: [...all, 'count', filters],
      queryFn: ({ signal }) => call(countOperations, { body: filters, signal }),
      placeholderData: keepPreviousData,
      staleTime: pollMs,
    }),
};
