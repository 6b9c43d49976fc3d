import { signOut } from '@fpay/contract/account';
import type { QueryClient } from '@tanstack/react-query';
import { call, onRefusal } from '../api/call.ts';
import type { ApiError } from '../api/errors.ts';
import { accountQueries, forgetUser } from '../features/account/queries.ts';
import { text } from '../i18n/i18n.ts';
import type { DataRouter } from '../router/index.ts';
import { notify } from '../ui/popups.ts';

type Router = Pick<DataRouter, 'state' | 'navigate' | 'revalidate'>;

/** /offline leads back as soon as the service says it is up; a "no" right after that is the page's own to show. */
const bouncePauseMs = 10_000;

/** What a refusal means for the whole app, whichever call it was the answer to. */
export function followCallRules(router: Router, queryClient: QueryClient): () => void {
  const { queryKey: userKey } = accountQueries.user();
  let sentToOfflineAt = Number.NEGATIVE_INFINITY;

  function endSession(): void {
    if (!queryClient.getQueryData(userKey)) return;
    forgetUser(queryClient);
    // The guards run again and lead to sign-in from where that is needed.
    void router.revalidate();
  }

  function showMaintenance(): void {
    const { pathname } = router.state.navigation.location ?? router.state.location;
    if (staysInMaintenance(pathname) || Date.now() - sentToOfflineAt < bouncePauseMs) return;
    sentToOfflineAt = Date.now();
    void router.navigate('/offline');
  }

  return onRefusal((error: ApiError) => {
    if (error.status === 503) showMaintenance();
    // A wrong password is a 401 too, yet a guest who mistypes one stays who they are.
    if (error.status === 401 && error.code !== 'bad_credentials') endSession();
    if (error.status === 403 && error.code === 'banned' && queryClient.getQueryData(userKey)) {
      endSession();
      void notify(text('refusals:banned'));
      call(signOut).catch(() => undefined);
    }
  });
}

/** Staff work on while the service is down, and sign in for it. */
function staysInMaintenance(pathname: string): boolean {
  return pathname === '/offline' || pathname === '/auth' || /^\/admin(\/|$)/.test(pathname);
}
