import { signOut } from '@fpay/contract/account';
import type { QueryClient } from '@tanstack/react-query';
import { call, onReconnect, onRefusal } from '../api/call.ts';
import type { ApiError } from '../api/errors.ts';
import { accountQueries, removeUser } from '../features/account/queries.ts';
import { text } from '../i18n/i18n.ts';
import type { TextKey } from '../i18n/text-key.ts';
import type { DataRouter } from '../router/index.ts';
import { notify, withdrawMessage } from '../ui/overlay/popups.ts';

type Router = Pick<DataRouter, 'state' | 'navigate' | 'revalidate'>;

/** /offline redirects back as soon as the service is up; a refusal right after that is shown by the page itself. */
const bouncePauseMs = 10_000;

/** What a refusal and a lost network mean for the whole app, regardless of the call. */
export function followCallRules(router: Router, queryClient: QueryClient): () => void {
  const { queryKey: userKey } = accountQueries.user();
  let sentToOfflineAt = Number.NEGATIVE_INFINITY;

  function endSession(reason: TextKey): void {
    if (!queryClient.getQueryData(userKey)) return;
    removeUser(queryClient);
    void notify(text(reason));
    // The guards run again and redirect to sign-in where it is needed.
    void router.revalidate();
  }

  function showMaintenance(): void {
    const { pathname } = router.state.navigation.location ?? router.state.location;
    if (staysInMaintenance(pathname) || Date.now() - sentToOfflineAt < bouncePauseMs) return;
    sentToOfflineAt = Date.now();
    void router.navigate('/offline');
  }

  const stopRefusals = onRefusal((error: ApiError) => {
    if (error.status === 503) showMaintenance();
    // A wrong password is a 401 too, but a guest who mistypes one stays a guest.
    if (error.status === 401 && error.code !== 'bad_credentials') endSession('generic:sessionEnded');
    if (error.status === 403 && error.code === 'banned' && queryClient.getQueryData(userKey)) {
      endSession('refusals:banned');
      call(signOut).catch(() => undefined);
    }
  });
  // The device reports a network that is back; where it never noticed the loss, the next answer shows it.
  const forgetNoNetwork = () => withdrawMessage(text('generic:noConnectionText'));
  const stopReconnects = onReconnect(forgetNoNetwork);
  addEventListener('online', forgetNoNetwork);
  return () => {
    stopRefusals();
    stopReconnects();
    removeEventListener('online', forgetNoNetwork);
  };
}

/** Staff work while the service is down, so sign-in stays open. */
function staysInMaintenance(pathname: string): boolean {
  return pathname === '/offline' || pathname === '/auth' || /^\/admin(\/|$)/.test(pathname);
}
