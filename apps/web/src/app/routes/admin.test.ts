import { type Role, roles } from '@fpay/contract/roles';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountQueries } from '../../features/account/queries.ts';
import { aUser } from '../../testing/people.ts';
import { createGuard } from '../guard.ts';
import { adminPages } from './admin.ts';
import type { PageDeclaration } from './page.ts';

/** Where a staff page redirects a user; null lets them pass. */
async function opening(page: PageDeclaration, user: ReturnType<typeof aUser> | null) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(accountQueries.user().queryKey, user);
  const params = {
    operation: '12',
    user: '12',
    id: '12',
    site: '12',
    case: '12',
    chargePoint: '12',
    webhook: '12',
    station: 'F1400',
    code: 'ABCD2345',
  };
  const request = new Request(`http://localhost${page.path.replace(/:\w+/, '12')}`);
  try {
    await createGuard(queryClient)(page, { request, params });
    return null;
  } catch (thrown) {
    return (thrown as Response).headers.get('Location');
  }
}

const pageAt = (path: string) => adminPages.find((page) => page.path === path) as PageDeclaration;
async function rolesThatOpen(path: string): Promise<Role[]> {
  const opened = await Promise.all(roles.map(async (role) => (await opening(pageAt(path), aUser({ role }))) === null));
  return roles.filter((_, index) => opened[index]);
}

beforeEach(() => sessionStorage.clear());

describe('the staff pages', () => {
  it.each(adminPages)('$path needs sign-in and access to the back office [GUARD-13]', async (page) => {
    expect(await opening(page, null)).toBe('/auth');
    for (const role of ['User', 'Guest', 'Banned'] as const)
      expect(await opening(page, aUser({ role })), role).not.toBeNull();
    const withoutAccess = aUser({ role: 'SuperAdmin' });
    const permissions = withoutAccess.permissions.filter((name) => name !== 'access-admin-page');
    expect(await opening(page, { ...withoutAccess, permissions })).toBe('/404');
    expect(await opening(page, aUser({ role: 'SuperAdmin' }))).toBeNull();
  });

  it.each(['/admin/anomalies', '/admin/terminator', '/admin/counters', '/admin/system'])(
    '%s needs the permission to watch operations [GUARD-14]',
    async (path) => {
      const staff = aUser({ role: 'SuperAdmin' });
      const permissions = staff.permissions.filter((name) => name !== 'monitor-operations');
      expect(await opening(pageAt(path), { ...staff, permissions })).toBe('/404');
      expect(await rolesThatOpen(path)).toEqual(['Analytic', 'Support', 'Operator', 'Admin', 'SuperAdmin']);
    },
  );

  it.each(['/admin/shutdown', '/admin/audit'])('%s is for the super role only [GUARD-15]', async (path) => {
    expect(await rolesThatOpen(path)).toEqual(['SuperAdmin']);
  });

  it.each(['/admin/cases', '/admin/cases/:case'])('%s is for those who see users', async (path) => {
    expect(await rolesThatOpen(path)).toEqual(['Analytic', 'Support', 'Operator', 'Admin', 'SuperAdmin']);
  });

  it('integrations are for those who may manage them', async () => {
    expect(await rolesThatOpen('/admin/integrations')).toEqual(['Admin', 'SuperAdmin']);
  });

  it('/admin/money is for those who may move money', async () => {
    expect(await rolesThatOpen('/admin/money')).toEqual(['Operator', 'Admin', 'SuperAdmin']);
  });
});
