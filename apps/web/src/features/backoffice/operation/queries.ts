import { type ActionRequest, previewOperationAction } from '@fpay/contract/admin/operation-actions';
import { adminOperation, operationCurve, operationTimeline } from '@fpay/contract/admin/operations';
import { isOpen, operationLog } from '@fpay/contract/charging';
import { paymentInfo } from '@fpay/contract/payments';
import { operationGroup } from '@fpay/contract/realtime';
import { queryOptions, skipToken, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../api/call.ts';
import { connectRealtime } from '../../../api/realtime.ts';
import { fetchText } from '../parts/fetch-text.ts';
import { pollMs, pollWithoutMessages } from '../queries.ts';

export const operationKey = (id: number) => ['backoffice', 'operation', id] as const;
const paymentKey = ['backoffice', 'payment'] as const;
const previewKey = (id: number) => ['backoffice', 'preview', id] as const;
const paramsOf = (id: number) => ({ params: { id: String(id) } });

export const operationViewQueries = {
  operation: (id: number) =>
    queryOptions({
      queryKey: [...operationKey(id), 'detail'],
      queryFn: ({ signal }) => call(adminOperation, { ...paramsOf(id), signal }),
      staleTime: 0,
      // A closed operation changes too, by a refund for example; while messages arrive they say when.
      refetchInterval: ({ state }) => (state.data && isOpen(state.data.status) ? pollMs : pollWithoutMessages()),
    }),
  log: (id: number) =>
    queryOptions({
      queryKey: [...operationKey(id), 'log'],
      queryFn: ({ signal }) => fetchText(operationLog, { id: String(id) }, signal),
      staleTime: 0,
    }),
  timeline: (id: number) =>
    queryOptions({
      queryKey: [...operationKey(id), 'timeline'],
      queryFn: ({ signal }) => call(operationTimeline, { ...paramsOf(id), signal }),
      staleTime: 0,
    }),
  curve: (id: number) =>
    queryOptions({
      queryKey: [...operationKey(id), 'curve'],
      queryFn: ({ signal }) => call(operationCurve, { ...paramsOf(id), signal }),
      staleTime: 0,
    }),
  /** What the bank knows; requested when staff open it. */
  payment: (id: number) =>
    queryOptions({
      queryKey: [...paymentKey, id],
      queryFn: ({ signal }) => call(paymentInfo, { params: { paymentId: String(id) }, signal }),
      staleTime: 0,
      gcTime: 0,
    }),
  /** Never from the cache, because the effect depends on the state of this moment. */
  preview: (id: number, request: ActionRequest | null) =>
    queryOptions({
      queryKey: [...previewKey(id), request],
      queryFn: request
        ? ({ signal }) => call(previewOperationAction, { ...paramsOf(id), body: request, signal })
        : skipToken,
      staleTime: 0,
      gcTime: 0,
    }),
};

/**
 * Messages trigger new requests; they have no data themselves. A closed operation changes too: by a refund, a note, feedback. What
 * changed before the page joined was not sent to it, so joining triggers requests as well.
 */
export function useOperationMessages(id: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const connection = connectRealtime({ operation: id });
    const refetch = () => {
      for (const queryKey of [operationKey(id), previewKey(id), paymentKey])
        void queryClient.invalidateQueries({ queryKey });
    };
    connection.listen(operationGroup(id), refetch, refetch);
    return () => connection.stop();
  }, [id, queryClient]);
}
