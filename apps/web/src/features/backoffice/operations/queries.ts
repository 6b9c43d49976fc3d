import {
  type AdminOperationItem,
  countOperations,
  lastOperations,
  type OperationFilters,
} from '@fpay/contract/admin/operations';
import type { OperationSort } from '@fpay/contract/admin/sorts';
import { sortText } from '@fpay/contract/admin/sorts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { allRows } from '../../../data/all-rows.ts';
import { pollMs, pollWithoutMessages } from '../queries.ts';

const all = ['backoffice', 'operations'] as const;

/** Where the next page begins: the last row, and what the list is sorted by in it. */
interface Start {
  before: number;
  before_value: number | null;
}

interface ListRequest {
  filters: OperationFilters;
  sort: OperationSort;
  count: number;
}

const fetchList = ({ filters, sort, count }: ListRequest, start: Start | null, signal?: AbortSignal) =>
  call(lastOperations, {
    params: { count: String(count) },
    body: { ...filters, sort: sortText(sort), before: null, ...start },
    ...(signal !== undefined && { signal }),
  });

/** The first part of a list, requested before its page is rendered. */
let early: { key: string; reply: ReturnType<typeof fetchList> } | null = null;
/** By then the page is shown; a later one needs the present rows. */
const earlyMs = 5_000;

/** Starts the request of the page that is opening. The page takes its reply, or its refusal. */
export function fetchListEarly(request: ListRequest): void {
  const started = { key: JSON.stringify(request), reply: fetchList(request, null) };
  early = started;
  started.reply.catch(() => undefined);
  setTimeout(() => {
    if (early === started) early = null;
  }, earlyMs);
}

function takeEarly(request: ListRequest) {
  if (early?.key !== JSON.stringify(request)) return null;
  const { reply } = early;
  early = null;
  return reply;
}

/** The total of an open charge may grow past others between two pages, so that a row is in both. */
function rowsOnce(list: { pages: AdminOperationItem[][] }): AdminOperationItem[] {
  return [...new Map(allRows(list).map((row) => [row.id, row])).values()];
}

function startAfter(page: readonly AdminOperationItem[], { sort: { key }, count }: ListRequest): Start | null {
  const last = page.at(-1);
  if (page.length < count || !last) return null;
  return { before: last.id, before_value: key === 'id' ? null : last[key] };
}

export const operationQueries = {
  list: (request: ListRequest) =>
    infiniteQueryOptions({
      queryKey: [...all, 'list', request],
      queryFn: ({ pageParam, signal }) =>
        (pageParam === null && takeEarly(request)) || fetchList(request, pageParam, signal),
      initialPageParam: null as Start | null,
      getNextPageParam: (page) => startAfter(page, request),
      select: rowsOnce,
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
