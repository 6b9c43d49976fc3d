import { QueryClient } from '@tanstack/react-query';

/** The only cache of server data. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `call` repeats unanswered requests, so that loaders and screens behave alike; a refusal is an answer.
    queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
