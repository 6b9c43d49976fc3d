import type { User } from '@fpay/contract/account';
import type { Permission } from '@fpay/contract/roles';
import type { QueryClient } from '@tanstack/react-query';
import { accountQueries, isRegistered } from '../features/account/queries.ts';
import { rememberReturnTo } from '../features/account/return-to.ts';
import { data, type LoaderFunctionArgs, redirect, replace } from '../router/index.ts';

/**
 * Who may see a page. The server checks every call anyway; these rules only save the driver from a page without
 * content.
 */
export interface PageRules {
  /** Parameters that must match; otherwise the address shows the 404 page. */
  params?: Record<string, RegExp>;
  signIn?: boolean;
  /** Every listed permission is required. Implies sign-in. */
  needs?: readonly Permission[];
  /** Only for members of a party. Implies sign-in. */
  partyMembers?: boolean;
  /** For sign-in and sign-up: redirects registered users, except staff who have not entered the second factor. */
  withoutAccount?: boolean;
  /** Stays open during an operation: a charging guest can sign up, and the bank can return its client. */
  duringOperation?: boolean;
}

/** The parameter with which the bank's redirect identifies a guest. */
const returnParameter = 'return';

export const digits = /^\d+$/;
export const digitsOrPhone = /^\+?\d+$/;

/** A loader that lets the user pass or redirects. */
export function createGuard(queryClient: QueryClient) {
  return async (rules: PageRules, { params, request }: Pick<LoaderFunctionArgs, 'params' | 'request'>) => {
    const url = new URL(request.url);
    const address = url.pathname + url.search;
    checkParams(rules, params);
    await restoreGuest(queryClient, url);

    const isForUsers = needsUser(rules);
    const loading = queryClient.ensureQueryData({ ...accountQueries.user(), revalidateIfStale: true });
    // A page for everyone opens even when the user cannot be loaded.
    const user = await (isForUsers ? loading : loading.catch(() => null));

    // A guest may open it, and returns to it once they have an account.
    if (isForUsers && !isRegistered(user)) rememberReturnTo(address);
    if (isForUsers && !user) throw redirect('/auth');
    checkRights(rules, user, address);

    const statusPage = user && onlyPageOf(user);
    if (statusPage && !rules.duringOperation && url.pathname !== statusPage) throw redirect(statusPage);
  };
}

const needsUser = ({ signIn, needs, partyMembers }: PageRules) => Boolean(signIn || needs || partyMembers);

function checkParams(rules: PageRules, params: LoaderFunctionArgs['params']): void {
  for (const [name, shape] of Object.entries(rules.params ?? {})) {
    if (!shape.test(params[name] ?? '')) throw notFound();
  }
}

/** The way back from the bank, in whichever browser it ends. */
async function restoreGuest(queryClient: QueryClient, url: URL): Promise<void> {
  const returnToken = url.searchParams.get(returnParameter);
  if (returnToken === null) return;
  const { restoreGuestSession } = await import('../features/account/restore-guest-session.ts');
  await restoreGuestSession(queryClient, returnToken);
  // The token is used up, and must not be shown, stored in the history or passed on.
  url.searchParams.delete(returnParameter);
  throw replace(url.pathname + url.search);
}

/** What a user who is known may not open. */
function checkRights(rules: PageRules, user: User | null, address: string): void {
  if (rules.withoutAccount && isRegistered(user) && !user.awaits_code) throw redirect('/account');
  if (rules.needs?.some((permission) => !user?.permissions.includes(permission))) {
    if (!user?.awaits_code) throw redirect('/404');
    // Staff who entered only the password: the second factor may open this page.
    rememberReturnTo(address);
    throw redirect('/auth');
  }
  if (rules.partyMembers && !user?.party) throw redirect('/404');
}

function notFound() {
  return data(null, { status: 404 });
}

/** During an operation, a user who may have only one is redirected to it from everywhere. */
function onlyPageOf(user: User): string | null {
  const [operation] = user.active_operations;
  if (operation === undefined || user.permissions.includes('have-multiple-operations')) return null;
  return `/status/${operation}`;
}
