import { getHistory, type HistoryRange } from '@fpay/contract/history';
import { type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';

export const historyQueries = {
  all: ['history'] as const,
  range: (range: HistoryRange) =>
    pastOptions([...historyQueries.all, range], () => call(getHistory, { params: { range } })),
};

/** What is over does not change under the driver's eyes: each range is asked for once as long as its page stands. */
export function pastOptions<Past>(queryKey: QueryKey, ask: () => Promise<Past>) {
  return queryOptions({
    queryKey,
    // Nothing the driver did has failed, so no message interrupts: it is logged, and the page offers another try.
    queryFn: () =>
      ask().catch((error: unknown) => {
        console.warn('Could not read the past', error);
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Forgets everything under this key when the page is left. */
export function useForgottenOnLeave(queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  useEffect(() => () => queryClient.removeQueries({ queryKey }), [queryClient, queryKey]);
}
