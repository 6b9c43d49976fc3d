import { networkParties, networkParty } from '@fpay/contract/admin/network/parties';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';

export const partyListQueries = {
  list: () =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'parties', 'list'],
      queryFn: ({ signal }) => call(networkParties, { signal }),
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'parties', 'one', id],
      queryFn: ({ signal }) => call(networkParty, { params: { id }, signal }),
      staleTime: 0,
    }),
};
