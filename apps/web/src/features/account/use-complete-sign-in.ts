import type { User } from '@fpay/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '../../router/index.ts';
import { replaceUser } from './queries.ts';
import { takeReturnTo } from './return-to.ts';

/** Opens the requested page after sign-in. Staff who must enter a code stay for it. */
export function useCompleteSignIn(): (user: User) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (user) => {
    replaceUser(queryClient, user);
    if (!user.awaits_code) await navigate(takeReturnTo(), { replace: true });
  };
}
