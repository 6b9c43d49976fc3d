import { today } from '@fpay/contract/admin/stats';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** How often lists and overviews are read while no messages arrive that say when they change. */
export const pollMs = 20_000;

let hasMessages = false;

/** While messages arrive, lists are read when something changed, and no poll is needed. */
export const pollWithoutMessages = (): number | false => (hasMessages ? false : pollMs);

export function setHasMessages(value: boolean): void {
  hasMessages = value;
}

export const staffQueries = {
  today: () =>
    queryOptions({
      queryKey: ['backoffice', 'today'],
      queryFn: ({ signal }) => call(today, { query: { tz: 'Europe/Kyiv' }, signal }),
      staleTime: pollMs,
      refetchInterval: pollWithoutMessages,
    }),
};
