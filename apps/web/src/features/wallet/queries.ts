import { savedCards } from '@fpay/contract/cards';
import { balanceTransactions, lastTopUp } from '@fpay/contract/wallet';
import { pageLimit } from '@fpay/contract/wire';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { allRows } from '../../data/all-rows.ts';

/** The payment step of a station uses it too. */
export { planTopUp } from './planned-top-up.ts';

/** Polling intervals for the bank's answer, which mostly comes within seconds and may take minutes. */
const pollIntervalMs = { atFirst: 2000, later: 10_000 } as const;
const fastPolls = 30;

export const walletQueries = {
  cards: () =>
    queryOptions({
      queryKey: ['wallet', 'cards'],
      queryFn: ({ signal }) => call(savedCards, { signal }),
      staleTime: 60_000,
    }),
  transactions: () =>
    infiniteQueryOptions({
      queryKey: ['wallet', 'transactions'],
      queryFn: ({ pageParam, signal }) =>
        call(balanceTransactions, { query: pageParam === null ? {} : { before: String(pageParam) }, signal }),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < pageLimit.default ? null : (page.at(-1)?.id ?? null)),
      select: allRows,
      staleTime: 0,
    }),
  /** Polled until the bank has decided. */
  lastTopUp: () =>
    queryOptions({
      queryKey: ['wallet', 'last-top-up'],
      queryFn: ({ signal }) => call(lastTopUp, { signal }),
      staleTime: 0,
      gcTime: 0,
      refetchInterval: ({ state }) => {
        if (state.data === null || state.data?.payment_status) return false;
        return state.dataUpdateCount + state.errorUpdateCount < fastPolls
          ? pollIntervalMs.atFirst
          : pollIntervalMs.later;
      },
    }),
};
