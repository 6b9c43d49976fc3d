import { isDown } from '@fpay/contract/maintenance';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The back office uses them too. */
export { elapsedPercent, minutesLeft } from './progress.ts';

export const maintenanceQueries = {
  state: () =>
    queryOptions({
      queryKey: ['maintenance', 'state'],
      queryFn: ({ signal }) => call(isDown, { signal }),
      staleTime: 0,
    }),
};
