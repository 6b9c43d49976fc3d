import { today } from '@fpay/contract/admin/stats';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** No real-time group covers the whole network, so overviews are polled while they are visible. */
export const pollMs = 20_000;

export const staffQueries = {
  today: () =>
    queryOptions({
      queryKey: ['backoffice', 'today'],
      queryFn: ({ signal }) => call(today, { query: { tz: 'Europe/Kyiv' }, signal }),
      staleTime: pollMs,
      refetchInterval: pollMs,
    }),
};
