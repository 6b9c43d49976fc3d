import { ownInvitations, partyData, partyOperations, partyStats } from '@fpay/contract/party';
import type { Period } from '@fpay/contract/period';
import { pageLimit } from '@fpay/contract/wire';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { allRows } from '../../data/all-rows.ts';

/** Whose figures, and of when. */
export interface FiguresFilter {
  /** A member's id, `all` or `avg`. */
  user: string;
  period: Period | 'manual';
  /** Local date and time as the browser's own picker writes them; only with `manual`. */
  from: string;
  to: string;
}

export const viewerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function queryOf({ user, period, from, to }: FiguresFilter) {
  const tz = viewerZone();
  if (period !== 'manual') return { user, period, tz };
  const [start_date, end_date] = [new Date(from).toISOString(), new Date(to).toISOString()];
  return { user, manual_range: 'true' as const, start_date, end_date, tz };
}

/** False while a manual range is not typed to its end. */
export function isAskable({ period, from, to }: FiguresFilter): boolean {
  return period !== 'manual' || Date.parse(to) > Date.parse(from);
}

export const partyQueries = {
  all: ['party'] as const,
  data: () =>
    queryOptions({
      queryKey: [...partyQueries.all, 'data'],
      queryFn: ({ signal }) => call(partyData, { signal }),
      // Stations change while the page stands.
      refetchInterval: 15_000,
      staleTime: 0,
    }),
  stats: (filter: FiguresFilter) =>
    queryOptions({
      queryKey: [...partyQueries.all, 'stats', filter],
      queryFn: ({ signal }) => call(partyStats, { query: queryOf(filter), signal }),
      enabled: isAskable(filter),
    }),
  operations: (filter: FiguresFilter) =>
    infiniteQueryOptions({
      queryKey: [...partyQueries.all, 'operations', filter],
      queryFn: ({ pageParam, signal }) => {
        const page = pageParam === null ? {} : { before: String(pageParam) };
        return call(partyOperations, { query: { ...queryOf(filter), ...page }, signal });
      },
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < pageLimit.default ? null : (page.at(-1)?.id ?? null)),
      select: allRows,
      enabled: isAskable(filter),
    }),
  invitations: () =>
    queryOptions({
      queryKey: [...partyQueries.all, 'invitations'],
      queryFn: ({ signal }) => call(ownInvitations, { signal }),
    }),
};
