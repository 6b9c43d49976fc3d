import type { User } from '@fpay/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '../../router/index.ts';
import { takeAskedPage } from './asked-page.ts';
import { becomeUser } from './queries.ts';

/** Somebody has proven who they are: the page they came for opens. Staff who owe a code stay for it. */
export function useEnter(): (user: User) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (user) => {
    becomeUser(queryClient, user);
    if (!user.awaits_code) await navigate(takeAskedPage(), { replace: true });
  };
}
