import { comeBack } from '@fpay/contract/account';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { becomeUser } from './queries.ts';

/**
 * A guest is back from the bank, perhaps in another browser that has never heard of them: the token in the address finds
 * their session again. One that is spent or old finds nobody, and whoever is there stays.
 */
export async function comeBackAsGuest(queryClient: QueryClient, token: string): Promise<void> {
  try {
    becomeUser(queryClient, await call(comeBack, { body: { token } }));
  } catch (error) {
    console.warn('The return from the bank found no session', error);
  }
}
