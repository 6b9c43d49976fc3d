import { getSettings } from '@fpay/contract/settings';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const settingsQueries = {
  /** The network's name and links. They come with the page itself; only a page without them asks. */
  settings: () =>
    queryOptions({
      queryKey: ['settings'],
      queryFn: ({ signal }) => call(getSettings, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
};

/** Always there at once: the app is not drawn before it knows whose it is. */
export function useSettings() {
  return useSuspenseQuery(settingsQueries.settings()).data;
}
