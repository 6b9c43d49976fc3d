import { adminStats, adminStatsCharts } from '@fpay/contract/admin/stats';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { AskedStats } from './address.ts';

const all = ['backoffice', 'stats'] as const;

export const staffStatsQueries = {
  all,
  figures: (query: AskedStats) =>
    queryOptions({
      queryKey: [...all, 'figures', query],
      queryFn: ({ signal }) => call(adminStats, { query, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  charts: (query: AskedStats) =>
    queryOptions({
      queryKey: [...all, 'charts', query],
      queryFn: ({ signal }) => call(adminStatsCharts, { query, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
};
