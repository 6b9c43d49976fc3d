import type { User } from '@fpay/contract/account';
import type { Permission } from '@fpay/contract/roles';
import type { QueryClient } from '@tanstack/react-query';
import { rememberAskedPage } from '../features/account/asked-page.ts';
import { accountQueries, isRegistered } from '../features/account/queries.ts';
import { data, type LoaderFunctionArgs, redirect, replace } from '../router/index.ts';

/** Who may see a page. The server checks every call anyway; these rules only spare the driver a dead end. */
export interface PageRules {
  /** Parameters that must look like this, or the address is none of ours. */
  params?: Record<string, RegExp>;
  signIn?: boolean;
  /** All of them. Implies sign-in. */
  needs?: readonly Permission[];
  /** Only for members of a party. Implies sign-in. */
  partyMembers?: boolean;
  /** Sign-in, sign-up: who has an account has no business here, except staff who still owe their code. */
  withoutAccount?: boolean;
  /** Reachable although a session runs: a charging guest can sign up, and the bank can send its client back. */
  duringSession?: boolean;
}

/** What the bank's redirect brings back for a guest. */
const returnParameter = 'return';

export const digits = /^\d+$/;
export const digitsOrPhone = /^\+?\d+$/;

/** A loader that lets the driver pass or says where to go instead. */
export function createGuard(queryClient: QueryClient) {
  return async (rules: PageRules, { params, request }: Pick<LoaderFunctionArgs, 'params' | 'request'>) => {
    const url = new URL(request.url);
    for (const [name, shape] of Object.entries(rules.params ?? {})) {
      if (!shape.test(params[name] ?? '')) throw notFound();
    }

    const returnToken = url.searchParams.get(returnParameter);
    if (returnToken !== null) {
      const { comeBackAsGuest } = await import('../features/account/come-back.ts');
      await comeBackAsGuest(queryClient, returnToken);
      // Used up, and nothing to be shown, kept in the history or passed on.
      url.searchParams.delete(returnParameter);
      throw replace(url.pathname + url.search);
    }

    const needsUser = rules.signIn || rules.needs || rules.partyMembers;
    const asked = queryClient.ensureQueryData({ ...accountQueries.user(), revalidateIfStale: true });
    // A page for everyone opens even when nobody can say who is there.
    const user = await (needsUser ? asked : asked.catch(() => null));

    // A guest may open it, and is brought back to it once they have an account.
    if (needsUser && !isRegistered(user)) rememberAskedPage(url.pathname + url.search);
    if (needsUser && !user) throw redirect('/auth');
    if (rules.withoutAccount && isRegistered(user) && !user.awaits_code) throw redirect('/account');
    if (rules.needs?.some((permission) => !user?.permissions.includes(permission))) {
      if (!user?.awaits_code) throw redirect('/404');
      // Staff who gave only the password: the code they still owe may open this page.
      rememberAskedPage(url.pathname + url.search);
      throw redirect('/auth');
    }
    if (rules.partyMembers && !user?.party) throw redirect('/404');

    const statusPage = user && onlyPageOf(user);
    if (statusPage && !rules.duringSession && url.pathname !== statusPage) throw redirect(statusPage);
  };
}

function notFound() {
  return data(null, { status: 404 });
}

/** While a session runs, who may have only one is led to it from everywhere. */
function onlyPageOf(user: User): string | null {
  const [operation] = user.active_operations;
  if (operation === undefined || user.permissions.includes('have-multiple-operations')) return null;
  return `/status/${operation}`;
}
