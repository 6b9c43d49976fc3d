import { adminFeedback } from '@fpay/contract/admin/feedback';
import { sortText } from '@fpay/contract/admin/sorts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { type FeedbackAddress, feedbackFiltersOf } from './filters.ts';

export const feedbackQueries = {
  page: (address: FeedbackAddress) =>
    queryOptions({
      queryKey: ['backoffice', 'feedback', address],
      queryFn: ({ signal }) =>
        call(adminFeedback, {
          body: { ...feedbackFiltersOf(address), page: address.page, sort: sortText(address.sort) },
          signal,
        }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
};
