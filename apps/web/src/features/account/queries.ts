import { getUser, type User } from '@fpay/contract/account';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';

export const accountQueries = {
  /** Null: nobody is signed in. */
  user: () =>
    queryOptions({
      queryKey: ['account', 'user'],
      queryFn: ({ signal }): Promise<User | null> =>
        call(getUser, { signal }).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 401) return null;
          throw error;
        }),
      staleTime: 60_000,
    }),
};

/** The signed-in user, a guest included; null for a visitor. */
export function useUser(): User | null {
  return useQuery(accountQueries.user()).data ?? null;
}

/** Signed in with an account of their own, not as a guest. */
export function isRegistered(user: User | null): user is User {
  return user !== null && !user.is_temporary;
}
