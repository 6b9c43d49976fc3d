import { supportThread, supportThreads } from '@fpay/contract/support';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** Often enough for a conversation that is on the screen. */
const pollMs = 5_000;

export const supportQueries = {
  threads: () =>
    queryOptions({
      queryKey: ['support', 'threads'],
      queryFn: ({ signal }) => call(supportThreads, { signal }),
      staleTime: 0,
      refetchInterval: pollMs,
    }),
  thread: (id: number) =>
    queryOptions({
      queryKey: ['support', 'thread', id],
      queryFn: ({ signal }) => call(supportThread, { params: { id: String(id) }, signal }),
      staleTime: 0,
      refetchInterval: pollMs,
    }),
};
