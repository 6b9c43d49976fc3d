import { permissionsOf } from '@fpay/contract/roles';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { accountQueries } from '../features/account/queries.ts';
import { returnTo } from '../features/account/return-to.ts';
import { aGuest, aUser } from '../testing/people.ts';
import { RefusedAnswer, serve } from '../testing/server.ts';
import { createGuard, digits, digitsOrPhone, type PageRules } from './guard.ts';
import { accountPages } from './routes/account.ts';

type Person = NonNullable<Parameters<typeof aUser>[0]>;

/** Where the guard redirects a user who opens a page: null lets them pass, 404 shows that page in place. */
async function opening(path: string, rules: PageRules, user: ReturnType<typeof aUser> | null, params = {}) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(accountQueries.user().queryKey, user);
  const request = new Request(`http://localhost${path}`);
  try {
    await createGuard(queryClient)(rules, { request, params });
    return null;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown.headers.get('Location');
    return (thrown as { init?: { status: number } }).init?.status;
  }
}

beforeEach(() => sessionStorage.clear());

describe('a page that needs sign-in', () => {
  it('redirects a visitor to /auth and stores the address [GUARD-03]', async () => {
    expect(await opening('/station/F1400?ref_id=5', { signIn: true }, null)).toBe('/auth');
    expect(returnTo()).toBe('/station/F1400?ref_id=5');
  });

  it('opens for every signed-in user, including guests [GUARD-03]', async () => {
    expect(await opening('/active', { signIn: true }, aUser())).toBeNull();
    expect(await opening('/active', { signIn: true }, aGuest())).toBeNull();
  });

  it('fails when the user is unknown; a page for everyone does not', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('unplugged')));
    vi.useFakeTimers();
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const args = { request: new Request('http://localhost/map'), params: {} };
    const open = createGuard(queryClient)({}, args);
    const closed = expect(createGuard(queryClient)({ signIn: true }, args)).rejects.toThrow('no answer');
    await vi.runAllTimersAsync();
    await expect(open).resolves.toBeUndefined();
    await closed;
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});

describe('a page that needs permissions', () => {
  const rules: PageRules = { needs: ['access-admin-page', 'manage-app'] };

  it('opens only with all of them [GUARD-05]', async () => {
    expect(await opening('/admin/shutdown', rules, aUser({ role: 'SuperAdmin' }))).toBeNull();
    for (const role of ['User', 'Analytic', 'Support', 'Operator', 'Admin'] as const) {
      expect(await opening('/admin/shutdown', rules, aUser({ role }))).toBe('/404');
    }
    const halfway = aUser({ permissions: ['have-multiple-operations', 'manage-app'] });
    expect(await opening('/admin/shutdown', rules, halfway)).toBe('/404');
  });

  it('shows the 404 page when one is missing, and redirects a visitor to /auth [GUARD-06]', async () => {
    expect(await opening('/balance', { needs: ['use-balance'] }, aGuest())).toBe('/404');
    expect(await opening('/balance', { needs: ['use-balance'] }, null)).toBe('/auth');
  });
});

describe('a page of the party', () => {
  it('opens for its members and shows others the 404 page', async () => {
    const party = { name: 'Зелений парк', is_owner: false, is_closed: true };
    expect(await opening('/party', { partyMembers: true }, aUser({ party }))).toBeNull();
    expect(await opening('/party', { partyMembers: true }, aUser())).toBe('/404');
    expect(await opening('/party', { partyMembers: true }, null)).toBe('/auth');
  });
});

describe('sign-in and sign-up', () => {
  const rules: PageRules = { withoutAccount: true, duringOperation: true };

  it.each(['/auth', '/reg', '/reg/:tg', '/otp'])(
    '%s redirects a user with an account to the account [GUARD-16]',
    async (path) => {
      const page = accountPages.find((declared) => declared.path === path) ?? {};
      const params = { tg: '42' };
      expect(await opening(path, page, aUser(), params)).toBe('/account');
      expect(await opening(path, page, aGuest(), params)).toBeNull();
      expect(await opening(path, page, null, params)).toBeNull();
    },
  );

  it('redirect users with an account, and open for guests and visitors', async () => {
    expect(await opening('/auth', rules, aUser())).toBe('/account');
    expect(await opening('/auth', rules, aGuest())).toBeNull();
    expect(await opening('/auth', rules, null)).toBeNull();
  });
});

describe('staff who have not entered the second factor', () => {
  const withheld = aUser({ awaits_code: true });

  it('are redirected to it from the back office, whose address is stored, and find it at /auth', async () => {
    expect(await opening('/admin/users', { needs: ['access-admin-page'] }, withheld)).toBe('/auth');
    expect(returnTo()).toBe('/admin/users');
    expect(await opening('/auth', { withoutAccount: true, duringOperation: true }, withheld)).toBeNull();
  });

  it('can use all driver pages meanwhile', async () => {
    expect(await opening('/balance', { needs: ['use-balance'] }, withheld)).toBeNull();
  });
});

describe('a guest', () => {
  it('returns to their page once they have an account [GUARD-04]', async () => {
    await opening('/station/F1400', { signIn: true }, aGuest());
    expect(returnTo()).toBe('/station/F1400');
  });

  const token = 'x'.repeat(43);

  it("who returns from the bank in another browser is restored by the address's token, which is removed", async () => {
    const server = serve({ 'POST /api/return': aGuest({ id: 5 }) });
    const queryClient = new QueryClient();
    queryClient.setQueryData(accountQueries.user().queryKey, null);
    const request = new Request(`http://localhost/status/12?return=${token}&lang=uk`);
    const thrown = await createGuard(queryClient)({ signIn: true }, { request, params: {} }).catch((error) => error);
    expect(thrown.headers.get('Location')).toBe('/status/12?lang=uk');
    expect(server.bodyOf('POST /api/return')).toMatchObject({ token });
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toEqual(aGuest({ id: 5 }));
  });

  it('with a used token stays the same user', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    serve({ 'POST /api/return': new RefusedAnswer(404, { message: 'No', code: 'link_expired' }) });
    expect(await opening(`/status/12?return=${token}`, { signIn: true }, aUser())).toBe('/status/12');
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
});

describe('an open operation', () => {
  const charging: Person = { active_operations: [12, 15] };

  it('redirects a user who may have only one to its status page from any other page', async () => {
    expect(await opening('/map', {}, aGuest(charging))).toBe('/status/12');
    expect(await opening('/status/99', { signIn: true }, aGuest(charging))).toBe('/status/12');
    expect(await opening('/status/12', { signIn: true }, aGuest(charging))).toBeNull();
  });

  it('does not affect users who may have several, nor pages that stay open', async () => {
    expect(permissionsOf.User).toContain('have-multiple-operations');
    expect(await opening('/map', {}, aUser(charging))).toBeNull();
    expect(await opening('/auth', { duringOperation: true }, aGuest(charging))).toBeNull();
  });
});

describe('a parameter', () => {
  it.each([
    ['12', null],
    ['12a', 404],
    ['', 404],
    ['-1', 404],
    ['+12', 404],
    ['1 2', 404],
  ])('that must be digits, given as "%s"', async (operation, outcome) => {
    expect(await opening('/status/x', { params: { operation: digits } }, null, { operation })).toBe(outcome);
  });

  it.each([
    ['12', null],
    ['+380671234567', null],
    ['++12', 404],
    ['12+', 404],
    ['F12', 404],
  ])('that may be a phone, given as "%s"', async (user, outcome) => {
    expect(await opening('/admin/users/x', { params: { user: digitsOrPhone } }, null, { user })).toBe(outcome);
  });
});
