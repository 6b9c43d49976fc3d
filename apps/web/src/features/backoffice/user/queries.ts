import { previewBalance, previewReversal } from '@fpay/contract/admin/balance';
import { lastOperations, operationCounts } from '@fpay/contract/admin/operations';
import { adminUser } from '@fpay/contract/admin/users';
import type { CallInput } from '@fpay/contract/endpoint';
import { userLog } from '@fpay/contract/profile';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { fetchText } from '../parts/fetch-text.ts';

export const userKey = (id: number) => ['backoffice', 'user', id] as const;

export const userViewQueries = {
  user: (id: number) =>
    queryOptions({
      queryKey: [...userKey(id), 'detail'],
      queryFn: ({ signal }) => call(adminUser, { params: { id: String(id) }, signal }),
      staleTime: 0,
    }),
  operations: (id: number, sort: string | null) =>
    queryOptions({
      queryKey: [...userKey(id), 'operations', sort],
      queryFn: ({ signal }) =>
        call(lastOperations, {
          params: { count: String(operationCounts.ofUser) },
          body: { user: String(id), sort },
          signal,
        }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  /** Never from the cache, because the effect depends on the balances of this moment. */
  preview: (body: CallInput<typeof previewBalance>['body']) =>
    queryOptions({
      queryKey: ['backoffice', 'balance-preview', body],
      queryFn: ({ signal }) => call(previewBalance, { body, signal }),
      staleTime: 0,
      gcTime: 0,
    }),
  reversal: (body: CallInput<typeof previewReversal>['body']) =>
    queryOptions({
      queryKey: ['backoffice', 'reversal-preview', body],
      queryFn: ({ signal }) => call(previewReversal, { body, signal }),
      staleTime: 0,
      gcTime: 0,
    }),
  log: (id: number) =>
    queryOptions({
      queryKey: [...userKey(id), 'log'],
      queryFn: ({ signal }) => fetchText(userLog, { id: String(id) }, signal),
      staleTime: 0,
    }),
};
