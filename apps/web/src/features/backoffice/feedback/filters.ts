import { FeedbackFilters } from '@fpay/contract/admin/feedback';
import { StationText, UserText } from '@fpay/contract/admin/filters';
import { type FeedbackSort, readSort, sortText } from '@fpay/contract/admin/sorts';

/** The list as its address describes it. */
export interface FeedbackAddress {
  from: number;
  to: number;
  withCommentsOnly: boolean;
  station: string | null;
  user: string | null;
  page: number;
  sort: FeedbackSort;
}

export const allFeedback: FeedbackAddress = {
  from: 1,
  to: 5,
  withCommentsOnly: false,
  station: null,
  user: null,
  page: 1,
  sort: { key: 'id', isDescending: true },
};

/** A value that is no filter, from an old link or a typing error, is left out. */
export function readFeedback(params: URLSearchParams): FeedbackAddress {
  const whole = (name: string, usual: number) =>
    /^[1-9]\d{0,3}$/.test(params.get(name) ?? '') ? Number(params.get(name)) : usual;
  const address = {
    from: whole('from', 1),
    to: whole('to', 5),
    withCommentsOnly: params.get('comments') === 'true',
    station: StationText.safeParse(params.get('station')).data ?? null,
    user: UserText.safeParse(params.get('user')).data ?? null,
    page: whole('page', 1),
    sort: readSort('feedback', params.get('sort')) ?? allFeedback.sort,
  };
  return FeedbackFilters.safeParse(address).success ? address : { ...address, from: 1, to: 5 };
}

/** What differs from the usual list. */
export function writeFeedback({
  from,
  to,
  withCommentsOnly,
  station,
  user,
  page,
  sort,
}: FeedbackAddress): URLSearchParams {
  const values = {
    from: from === 1 ? null : from,
    to: to === 5 ? null : to,
    comments: withCommentsOnly || null,
    station,
    user,
    page: page === 1 ? null : page,
    sort: sortText(sort),
  };
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

/** How many filters are set; the page is none. */
export function feedbackFilterCount({ from, to, withCommentsOnly, station, user }: FeedbackAddress): number {
  return [from > 1 || to < 5, withCommentsOnly, station !== null, user !== null].filter(Boolean).length;
}

/** The filters of the request. */
export function feedbackFiltersOf({ from, to, withCommentsOnly, station, user }: FeedbackAddress): FeedbackFilters {
  return { from, to, with_comments_only: withCommentsOnly, station_number: station, user };
}
