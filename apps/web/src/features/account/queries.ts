import { getUser, type User } from '@fpay/contract/account';
import { hashKey, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import { text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/popups.ts';
import { settingsQueries } from '../settings/queries.ts';

export const accountQueries = {
  /** Null: nobody is signed in. */
  user: () =>
    queryOptions({
      queryKey: ['account', 'user'],
      queryFn: ({ signal }): Promise<User | null> =>
        call(getUser, { signal }).catch((error: unknown) => {
          // Silence and maintenance are no answer: whoever was there still is. A "no" means that nobody is.
          if (!(error instanceof ApiError) || error.status === 503) throw error;
          if (!isToldElsewhere(error)) void notify(text(errorText(error)));
          return null;
        }),
      staleTime: 60_000,
    }),
};

/** A visitor is no failure; a ban has words of its own for the whole app. */
function isToldElsewhere({ status, code }: ApiError): boolean {
  return status === 401 || code === 'banned';
}

/** The signed-in user, a guest included; null for a visitor. */
export function useUser(): User | null {
  return useQuery(accountQueries.user()).data ?? null;
}

/** Signed in with an account of their own, not as a guest. */
export function isRegistered(user: User | null): user is User {
  return user !== null && !user.is_temporary;
}

/**
 * From now on this is who is there. What the server told the one before is theirs alone and goes; the network's name and
 * links are everybody's and stay.
 */
export function becomeUser(queryClient: QueryClient, user: User | null): void {
  const { queryKey: userKey } = accountQueries.user();
  queryClient.setQueryData(userKey, user);
  const keptKeys = [userKey, settingsQueries.settings().queryKey].map(hashKey);
  queryClient.removeQueries({ predicate: ({ queryHash }) => !keptKeys.includes(queryHash) });
}

/** Nobody is there any more: signed out, banned, deleted, or the session ended. */
export function forgetUser(queryClient: QueryClient): void {
  becomeUser(queryClient, null);
}
