import { activeOperations, getOperation } from '@fpay/contract/charging';
import { powerCurve } from '@fpay/contract/power-curve';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { noteServerTime } from './server-clock.ts';

/** The history uses it too. */
export { saveReceipt } from './receipt.ts';

export const chargingQueries = {
  operation: (id: number) =>
    queryOptions({
      queryKey: ['charging', 'operation', id],
      queryFn: async ({ signal }) => {
        const operation = await call(getOperation, { params: { id: String(id) }, signal });
        noteServerTime(operation);
        return operation;
      },
      // Real-time messages have no data; they only mark this key as stale.
      staleTime: 0,
    }),
  /** `version` changes with each reading; the previous curve stays while the next one is loaded. */
  curve: (id: number, version: string) =>
    queryOptions({
      queryKey: ['charging', 'curve', id, version],
      queryFn: ({ signal }) => call(powerCurve, { params: { id: String(id) }, signal }),
      placeholderData: (previous) => previous,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  active: () =>
    queryOptions({
      queryKey: ['charging', 'active'],
      queryFn: ({ signal }) => call(activeOperations, { signal }),
      staleTime: 0,
    }),
};
