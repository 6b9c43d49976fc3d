import { getSettings } from '@fpay/contract/settings';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const settingsQueries = {
  /** The network's name and links. They are embedded in the page; only a page without them requests them. */
  settings: () =>
    queryOptions({
      queryKey: ['settings'],
      queryFn: ({ signal }) => call(getSettings, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
};

/** Always available, because the app is not rendered before the settings are loaded. */
export function useSettings() {
  return useSuspenseQuery(settingsQueries.settings()).data;
}
