import { countOperations, lastOperations, type OperationFilters } from '@fpay/contract/admin/operations';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { allRows } from '../../../data/all-rows.ts';
import { pollMs, pollWithoutMessages } from '../queries.ts';

const all = ['backoffice', 'operations'] as const;

const fetchList = (filters: OperationFilters, count: number, before: number | null, signal?: AbortSignal) =>
  call(lastOperations, {
    params: { count: String(count) },
    body: { ...filters, before },
    ...(signal !== undefined && { signal }),
  });

/** The first part of a list, requested before its page is rendered. */
let early: { key: string; reply: ReturnType<typeof fetchList> } | null = null;
/** By then the page is shown; a later one needs the present rows. */
const earlyMs = 5_000;

/** Starts the request of the page that is opening. The page takes its reply, or its refusal. */
export function fetchListEarly(filters: OperationFilters, count: number): void {
  const started = { key: JSON.stringify([filters, count]), reply: fetchList(filters, count, null) };
  early = started;
  started.reply.catch(() => undefined);
  setTimeout(() => {
    if (early === started) early = null;
  }, earlyMs);
}

function takeEarly(filters: OperationFilters, count: number) {
  if (early?.key !== JSON.stringify([filters, count])) return null;
  const { reply } = early;
  early = null;
  return reply;
}

export const operationQueries = {
  list: (filters: OperationFilters, count: number) =>
    infiniteQueryOptions({
      queryKey: [...all, 'list', filters, count],
      queryFn: ({ pageParam, signal }) =>
        (pageParam === null && takeEarly(filters, count)) || fetchList(filters, count, pageParam, signal),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < count ? null : (page.at(-1)?.id ?? null)),
      select: allRows,
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
