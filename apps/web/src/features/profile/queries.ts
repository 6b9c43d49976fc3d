import type { User } from '@fpay/contract/account';
import type { CallInput } from '@fpay/contract/endpoint';
import { editUser } from '@fpay/contract/profile';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { accountQueries } from '../account/queries.ts';

export type Changes = CallInput<typeof editUser>['body'];

/** Sends what changed, cars included. The whole user comes back and is what every page shows from then on. */
export function useEditUser(user: User): (changes: Changes) => Promise<User> {
  const queryClient = useQueryClient();
  return async (changes) => {
    const edited = await call(editUser, { params: { id: String(user.id) }, body: changes });
    queryClient.setQueryData(accountQueries.user().queryKey, edited);
    return edited;
  };
}
