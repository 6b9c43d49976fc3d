import { getHistory, type HistoryRange } from '@fpay/contract/history';
import { type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';

export const historyQueries = {
  all: ['history'] as const,
  range: (range: HistoryRange) =>
    pastOptions([...historyQueries.all, range], () => call(getHistory, { params: { range } })),
};

/** Past data does not change, so each range is requested once while its page is open. */
export function pastOptions<Past>(queryKey: QueryKey, fetchPast: () => Promise<Past>) {
  return queryOptions({
    queryKey,
    // No action of the driver failed, so there is no popup: the error is logged and the page offers a retry.
    queryFn: () =>
      fetchPast().catch((error: unknown) => {
        console.warn('history request failed', error);
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Removes everything under this key when the page is left. */
export function useClearOnLeave(queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  useEffect(() => () => queryClient.removeQueries({ queryKey }), [queryClient, queryKey]);
}
