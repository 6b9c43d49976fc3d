import { signOut } from '@fpay/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { turnPushOff } from '../../api/push.ts';
import { showError } from '../../data/action.ts';
import { text } from '../../i18n/i18n.ts';
import { useNavigate } from '../../router/index.ts';
import { confirm } from '../../ui/overlay/popups.ts';
import { removeUser, useUser } from '../account/queries.ts';

/** Asks for confirmation. When the server could not end the session, the user stays signed in here too. */
export function useSignOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isCharging = (useUser()?.active_operations.length ?? 0) > 0;
  return {
    async askToSignOut() {
      const isSure = await confirm({
        title: text('account:signOutTitle'),
        effect: isCharging ? text('account:signOutCharging') : text('account:signOutEffect'),
        confirmLabel: text('account:signOut'),
        cancelLabel: text('account:stay'),
      });
      if (!isSure) return;
      // The next user of this browser must not get notifications of this one. The server ends them with the session.
      await turnPushOff().catch(() => undefined);
      try {
        await call(signOut);
      } catch (error) {
        showError(error);
        return;
      }
      removeUser(queryClient);
      await navigate('/auth');
    },
  };
}
