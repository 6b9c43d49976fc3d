import { networkStation, networkStations, stationChoices } from '@fpay/contract/admin/network/stations';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
import { allRows } from '../../../../data/all-rows.ts';

const pageSize = 50;

export const networkStationQueries = {
  list: (q: string, retired: boolean) =>
    infiniteQueryOptions({
      queryKey: ['backoffice', 'network', 'stations', 'list', q, retired],
      queryFn: ({ pageParam, signal }) =>
        call(networkStations, {
          query: {
            limit: String(pageSize),
            ...(q && { q }),
            ...(retired && { retired: 'true' as const }),
            ...(pageParam !== null && { before: String(pageParam) }),
          },
          signal,
        }),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
      select: allRows,
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  one: (number: string) =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'stations', 'one', number],
      queryFn: ({ signal }) => call(networkStation, { params: { number }, signal }),
      staleTime: 0,
    }),

  choices: () =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'choices'],
      queryFn: ({ signal }) => call(stationChoices, { signal }),
      staleTime: 0,
    }),
};
