import { systemFindings } from '@fpay/contract/admin/watch';
import { getAnomalies, getCounters, getTerminations } from '@fpay/contract/health';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { pollWithoutMessages } from '../queries.ts';

export const healthKey = ['backoffice', 'health'] as const;

export const healthQueries = {
  anomalies: () =>
    queryOptions({
      queryKey: [...healthKey, 'anomalies'],
      queryFn: ({ signal }) => call(getAnomalies, { signal }),
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
  counters: () =>
    queryOptions({
      queryKey: [...healthKey, 'counters'],
      queryFn: ({ signal }) => call(getCounters, { signal }),
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
  system: () =>
    queryOptions({
      queryKey: [...healthKey, 'system'],
      queryFn: ({ signal }) => call(systemFindings, { signal }),
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
  terminations: () =>
    queryOptions({
      queryKey: [...healthKey, 'terminator'],
      queryFn: ({ signal }) => call(getTerminations, { signal }),
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
};
