import { networkTariff, networkTariffs, previewTariff, type TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';

export const tariffQueries = {
  list: () =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'tariffs', 'list'],
      queryFn: ({ signal }) => call(networkTariffs, { signal }),
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'tariffs', 'one', id],
      queryFn: ({ signal }) => call(networkTariff, { params: { id }, signal }),
      staleTime: 0,
    }),
  preview: (terms: TariffTerms, date: string) =>
    queryOptions({
      queryKey: ['backoffice', 'network', 'tariffs', 'preview', terms, date],
      queryFn: ({ signal }) => call(previewTariff, { body: { terms, date }, signal }),
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
