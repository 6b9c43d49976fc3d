import { adminCase, adminCases, caseCounts, caseStaff } from '@fpay/contract/admin/cases';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { pollWithoutMessages } from '../queries.ts';
import type { CaseAddress } from './address.ts';

export const casesKey = ['backoffice', 'cases'] as const;

export const caseQueries = {
  list: ({ view, source, q, page }: CaseAddress) => {
    const query = { view, page: String(page), ...(source && { source }), ...(q.trim() && { q: q.trim() }) };
    return queryOptions({
      queryKey: [...casesKey, 'list', query],
      queryFn: ({ signal }) => call(adminCases, { query, signal }),
      staleTime: 0,
      placeholderData: keepPreviousData,
      refetchInterval: pollWithoutMessages,
    });
  },
  counts: () =>
    queryOptions({
      queryKey: [...casesKey, 'counts'],
      queryFn: ({ signal }) => call(caseCounts, { signal }),
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
  one: (id: number) =>
    queryOptions({
      queryKey: [...casesKey, 'one', id],
      queryFn: ({ signal }) => call(adminCase, { params: { id: String(id) }, signal }),
      staleTime: 0,
      refetchInterval: pollWithoutMessages,
    }),
  staff: () =>
    queryOptions({
      queryKey: [...casesKey, 'staff'],
      queryFn: ({ signal }) => call(caseStaff, { signal }),
      staleTime: 60_000,
    }),
};
