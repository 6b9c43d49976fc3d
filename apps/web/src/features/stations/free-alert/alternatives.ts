import type { ConnectorType } from '@fpay/contract/connectors';
import { getAlternatives } from '@fpay/contract/stations';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { statusRefreshMs } from '../queries.ts';

/** For a driver who cannot charge at this station. Not among the other queries, because the first page does not need it. */
export const alternativesQuery = (number: string, type?: ConnectorType) =>
  queryOptions({
    queryKey: ['stations', 'alternatives', number, type ?? null],
    queryFn: ({ signal }) => call(getAlternatives, { query: { number, ...(type && { type }) }, signal }),
    staleTime: statusRefreshMs,
  });
