import type { User } from '@fpay/contract/account';
import type { CallInput } from '@fpay/contract/endpoint';
import { editUser } from '@fpay/contract/profile';
import { getNoticeChannels } from '@fpay/contract/push';
import { endOtherSessions, endSession, getSessions } from '@fpay/contract/sessions';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { accountQueries } from '../account/queries.ts';

export type ProfileChanges = CallInput<typeof editUser>['body'];

/** Sends the changes, including cars. The answer is the whole user, which every page shows from then on. */
export function useEditUser(user: User): (changes: ProfileChanges) => Promise<User> {
  const queryClient = useQueryClient();
  return async (changes) => {
    const edited = await call(editUser, { params: { id: String(user.id) }, body: changes });
    queryClient.setQueryData(accountQueries.user().queryKey, edited);
    return edited;
  };
}

export const profileQueries = {
  /** How the driver is notified. */
  channels: () =>
    queryOptions({
      queryKey: ['profile', 'notice-channels'],
      queryFn: ({ signal }) => call(getNoticeChannels, { signal }),
    }),
  /** The devices on which the driver is signed in. */
  sessions: () =>
    queryOptions({
      queryKey: ['profile', 'sessions'],
      queryFn: ({ signal }) => call(getSessions, { signal }),
      staleTime: 0,
    }),
};

/** Signs one device out by the id of its session, or all others. The list is then reloaded. */
export function useEndSessions(): (which: number | 'others') => Promise<void> {
  const queryClient = useQueryClient();
  return async (which) => {
    if (which === 'others') await call(endOtherSessions);
    else await call(endSession, { params: { id: String(which) } }).catch(ignoreEnded);
    await queryClient.invalidateQueries(profileQueries.sessions());
  };
}

/** The session had already ended, which is the wanted result. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}
