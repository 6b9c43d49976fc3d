import { QueryClient } from '@tanstack/react-query';

/** What the server knows lives in this cache and nowhere else. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `call` repeats what a dead network swallowed, so that loaders and screens wait alike; a refusal is an answer.
    queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
