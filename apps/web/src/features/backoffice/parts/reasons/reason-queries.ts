import { staffReasons } from '@fpay/contract/admin/reasons';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';

/** The list changes rarely, and a popup that opens shows what is known. */
const staleMs = 300_000;

export const reasonQueries = {
  list: () =>
    queryOptions({
      queryKey: ['backoffice', 'reasons'],
      queryFn: ({ signal }) => call(staffReasons, { signal }),
      staleTime: staleMs,
    }),
};
