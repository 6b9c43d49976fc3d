import type { User } from '@fpay/contract/account';
import { act, cleanup, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { matchRoutes } from '../../router/index.ts';
import { aGuest, aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { createGuard } from '../guard.ts';
import { accountPages } from './account.ts';
import { adminPages } from './admin.ts';
import { driverPages } from './driver.ts';
import { createAppRoutes } from './routes.tsx';

const pages = [...driverPages, ...accountPages, ...adminPages];

async function open(path: string, user: User | null = null) {
  const queryClient = cacheWith({ user });
  const drawn = await renderRoutes(createAppRoutes(queryClient), queryClient, path);
  return { ...drawn, at: () => drawn.router.state.location.pathname };
}

const staff = aUser({ role: 'SuperAdmin' });

/** The page that is declared for an address, before the guard runs. */
function declaredFor(path: string) {
  const match = matchRoutes(
    pages.map(({ path }) => ({ path })),
    path,
  )?.[0];
  const page = pages.find((declared) => declared.path === match?.route.path);
  if (!page) throw new Error(`No page is declared for ${path}`);
  return { page, params: match?.params ?? {} };
}

/** True when the parameters of an address are valid. */
async function isAddress(path: string): Promise<boolean> {
  const { page, params } = declaredFor(path);
  const request = new Request(`http://localhost${path}`);
  const guard = createGuard(cacheWith({ user: staff }))({ params: page.params ?? {} }, { params, request });
  return guard.then(
    () => true,
    () => false,
  );
}

const is404 = () => screen.queryByRole('heading', { name: '404' }) !== null;
describe('the addresses of the product', () => {
  it('are all declared', () => {
    expect(pages.map(({ path }) => path).sort()).toEqual(
      [
        ...['/', '/map', '/qr', '/qr/:link', '/offline', '/debug', '/404', '/station/:station', '/station/v/:station'],
        ...['/support', '/support/:thread', '/admin/cases', '/admin/cases/:case'],
        ...['/status/:operation', '/active', '/auth', '/reg', '/reg/:tg', '/otp', '/account', '/edit', '/icons'],
        ...['/cars', '/car/add', '/car/:carId', '/history', '/stats', '/balance', '/rfid', '/party'],
        ...['/admin', '/admin/operations', '/admin/operations/:operation', '/admin/users', '/admin/users/:user'],
        ...['/admin/network/stations', '/admin/network/stations/:number', '/admin/network/import'],
        ...['/admin/network/tariffs', '/admin/network/tariffs/:id', '/admin/network/rfid'],
        ...['/admin/network/promotions', '/admin/network/parties', '/admin/network/parties/:id'],
        ...['/admin/network', '/admin/network/sites', '/admin/network/sites/:site'],
        '/admin/network/stations/:station/report',
        '/admin/network/charge-points/:chargePoint/commissioning',
        ...['/admin/network/charge-points', '/admin/network/charge-points/:chargePoint'],
        ...[
          '/admin/stats',
          '/admin/feedback',
          '/admin/anomalies',
          '/admin/terminator',
          '/admin/counters',
          '/admin/system',
          '/admin/page-errors/:code',
          '/admin/reasons',
          '/instruction',
          '/admin/money',
          '/admin/audit',
        ],
        '/admin/shutdown',
        ...['/admin/integrations', '/admin/integrations/webhooks', '/admin/integrations/webhooks/:webhook'],
        '/admin/integrations/ocpi',
      ].sort(),
    );
  });

  it('have the guards of the specification', () => {
    const guarded = Object.fromEntries(
      pages.map(({ path, signIn, needs, partyMembers, withoutAccount }) => [
        path,
        needs?.join() ?? (partyMembers ? 'party' : signIn ? 'sign-in' : withoutAccount ? 'no account' : 'everyone'),
      ]),
    );
    const account = 'access-account-page';
    const admin = 'access-admin-page';
    const health = 'access-admin-page,monitor-operations';
    const network = 'access-admin-page,view-network';
    expect(guarded).toEqual({
      '/': 'everyone',
      '/map': 'everyone',
      '/qr': 'everyone',
      '/qr/:link': 'everyone',
      '/offline': 'everyone',
      '/debug': 'everyone',
      '/404': 'everyone',
      '/station/:station': 'sign-in',
      '/station/v/:station': 'sign-in',
      '/status/:operation': 'sign-in',
      '/active': 'sign-in',
      '/support': 'sign-in',
      '/support/:thread': 'sign-in',
      '/auth': 'no account',
      '/reg': 'no account',
      '/reg/:tg': 'no account',
      '/otp': 'no account',
      '/account': account,
      '/edit': account,
      '/icons': account,
      '/cars': account,
      '/car/add': account,
      '/car/:carId': account,
      '/history': account,
      '/stats': account,
      '/balance': 'use-balance',
      '/rfid': admin,
      '/party': 'party',
      '/admin': admin,
      '/admin/operations': admin,
      '/admin/operations/:operation': admin,
      '/admin/users': admin,
      '/admin/users/:user': admin,
      '/admin/reasons': 'access-admin-page,manage-users',
      '/admin/stats': admin,
      '/admin/feedback': admin,
      '/admin/cases': 'access-admin-page,monitor-users',
      '/admin/cases/:case': 'access-admin-page,monitor-users',
      '/admin/anomalies': health,
      '/admin/terminator': health,
      '/admin/counters': health,
      '/admin/network/stations': network,
      '/admin/network/stations/:number': network,
      '/admin/network/import': network,
      '/admin/network/promotions': network,
      '/admin/network/parties': network,
      '/admin/network/parties/:id': network,
      '/admin/network/rfid': network,
      '/admin/network/tariffs': network,
      '/admin/network/tariffs/:id': network,
      '/admin/network': network,
      '/admin/network/sites': network,
      '/admin/network/sites/:site': network,
      '/admin/network/stations/:station/report': `${network},see-stats`,
      '/admin/network/charge-points/:chargePoint/commissioning': network,
      '/admin/network/charge-points': network,
      '/admin/network/charge-points/:chargePoint': network,
      '/admin/integrations': 'access-admin-page,manage-integrations',
      '/admin/integrations/webhooks': 'access-admin-page,manage-integrations',
      '/admin/integrations/webhooks/:webhook': 'access-admin-page,manage-integrations',
      '/admin/integrations/ocpi': 'access-admin-page,manage-integrations',
      '/admin/system': health,
      '/admin/page-errors/:code': health,
      '/instruction': 'everyone',
      '/admin/money': 'access-admin-page,manipulate-payments',
      '/admin/audit': 'access-admin-page,manage-app',
      '/admin/shutdown': 'access-admin-page,manage-app',
    });
  });

  it.each(['/nowhere', '/map/deeper', '/admin/nothing', '/status', '/station'])(
    'show the 404 page for %s [GUARD-01]',
    async (path) => {
      const { at } = await open(path);
      expect(is404()).toBe(true);
      expect(at()).toBe(path);
    },
  );

  it('link from the 404 page to the account, or to the map for users without one [GUARD-02]', async () => {
    for (const [user, label, target] of [
      [aUser(), 'До акаунта', '/account'],
      [aGuest(), 'На мапу', '/map'],
      [null, 'На мапу', '/map'],
    ] as const) {
      await open('/nowhere', user);
      expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe(target);
      cleanup();
    }
  });

  it('redirect a visitor to sign-in where it is needed [GUARD-03]', async () => {
    expect((await open('/active')).at()).toBe('/auth');
  });

  it('show the 404 page when a permission is missing [GUARD-06]', async () => {
    const { at } = await open('/admin/users', aUser());
    expect([at(), is404()]).toEqual(['/404', true]);
  });

  it.each([
    ['/status/12', true],
    ['/status/12a', false],
    ['/car/3', true],
    ['/car/three', false],
    ['/admin/operations/480215', true],
    ['/admin/operations/F480215', false],
    ['/reg/123456', true],
    ['/reg/durov', false],
  ])('accept digits only: %s [GUARD-18]', async (path, isOurs) => {
    expect(await isAddress(path)).toBe(isOurs);
  });

  it.each([
    ['/admin/users/7', true],
    ['/admin/users/+380671234567', true],
    ['/admin/users/380+67', false],
    ['/admin/users/olena', false],
  ])('accept a user as digits with an optional plus: %s [GUARD-19]', async (path, isOurs) => {
    expect(await isAddress(path)).toBe(isOurs);
  });

  it('show the 404 page for an invalid id at the requested address [GUARD-18]', async () => {
    const { at } = await open('/status/12a', staff);
    expect([at(), is404()]).toEqual(['/status/12a', true]);
  });

  it('keep /car/add for adding', () => {
    expect(declaredFor('/car/add').page.path).toBe('/car/add');
  });

  it('keep /debug an empty page [SHELL-22]', async () => {
    const { container } = await open('/debug');
    expect(screen.getByRole('main').innerHTML).toBe('');
    expect(container.textContent).toBe('');
    expect(screen.queryByRole('banner')).toBeNull();
  });

  it('guard every navigation, not only the first', async () => {
    const { router, at } = await open('/nowhere');
    await act(() => router.navigate('/account'));
    expect(at()).toBe('/auth');
  });
});
