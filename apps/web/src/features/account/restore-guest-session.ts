import { comeBack } from '@fpay/contract/account';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { replaceUser } from './queries.ts';

/**
 * A guest may return from the bank in another browser, which has no session. The token in the address restores the
 * session. A used or expired token changes nothing.
 */
export async function restoreGuestSession(queryClient: QueryClient, token: string): Promise<void> {
  try {
    replaceUser(queryClient, await call(comeBack, { body: { token } }));
  } catch (error) {
    console.warn('guest session not restored', error);
  }
}
