import type { User } from '@fpay/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '../../router/index.ts';
import { replaceUser } from './queries.ts';
import { takeReturnTo } from './return-to.ts';

/**
 * Opens the requested page after sign-in. Staff who must enter a code stay for it. A `step` is the history state of a later
 * step of that page; the page itself stays before it, so that Back leads there.
 */
export function useCompleteSignIn(): (user: User, step?: unknown) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (user, step = null) => {
    replaceUser(queryClient, user);
    if (user.awaits_code) return;
    const page = takeReturnTo();
    await navigate(page, { replace: true });
    if (step !== null) await navigate(page, { state: step });
  };
}
