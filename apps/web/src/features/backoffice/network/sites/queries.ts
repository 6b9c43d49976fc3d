import { siteList, siteView } from '@fpay/contract/admin/network/sites';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
import { pollMs } from '../../queries.ts';

export const sitesKey = ['backoffice', 'sites'] as const;
/** The division of power changes within seconds. */
const watchMs = 2_000;

export const siteQueries = {
  list: () =>
    queryOptions({
      queryKey: [...sitesKey, 'list'],
      queryFn: ({ signal }) => call(siteList, { signal }),
      staleTime: 0,
      refetchInterval: pollMs,
    }),
  view: (id: number) =>
    queryOptions({
      queryKey: [...sitesKey, id],
      queryFn: ({ signal }) => call(siteView, { params: { id: String(id) }, signal }),
      staleTime: 0,
      refetchInterval: watchMs,
    }),
};
