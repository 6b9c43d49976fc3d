import { getUser, type User } from '@fpay/contract/account';
import { hashKey, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import { settingsQueries } from '../settings/queries.ts';

/** While no answer came, the user is asked for again after this time. */
const unknownMs = 15_000;

export const accountQueries = {
  /** Null when no user is signed in. */
  user: () =>
    queryOptions({
      queryKey: ['account', 'user'],
      queryFn: ({ signal }): Promise<User | null> =>
        call(getUser, { signal }).catch((error: unknown) => {
          // No answer and maintenance leave the user signed in. A refusal means that there is no session.
          if (!(error instanceof ApiError) || error.status === 503) throw error;
          if (!isHandledElsewhere(error)) showError(error);
          return null;
        }),
      staleTime: 60_000,
      // A page that was opened without a network learns who is signed in as soon as there is one.
      refetchOnReconnect: true,
      refetchInterval: ({ state }) => (state.status === 'error' && state.data === undefined ? unknownMs : false),
    }),
};

/** A visitor is no error, and the app shows its own message for a ban. */
function isHandledElsewhere({ status, code }: ApiError): boolean {
  return status === 401 || code === 'banned';
}

/** The signed-in user, including a guest; null for a visitor. */
export function useUser(): User | null {
  return useQuery(accountQueries.user()).data ?? null;
}

/** True for a user with an account, false for a guest. */
export function isRegistered(user: User | null): user is User {
  return user !== null && !user.is_temporary;
}

/**
 * Replaces the signed-in user. Cached answers of the previous user are removed; the network's name and links are the
 * same for everyone and stay.
 */
export function replaceUser(queryClient: QueryClient, user: User | null): void {
  const { queryKey: userKey } = accountQueries.user();
  queryClient.setQueryData(userKey, user);
  const keptKeys = [userKey, settingsQueries.settings().queryKey].map(hashKey);
  queryClient.removeQueries({ predicate: ({ queryHash }) => !keptKeys.includes(queryHash) });
}

/** Removes the user after a sign-out, a ban, a deleted account or an ended session. */
export function removeUser(queryClient: QueryClient): void {
  replaceUser(queryClient, null);
}
