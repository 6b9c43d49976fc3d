import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountQueries } from '../../features/account/queries.ts';
import { returnTo } from '../../features/account/return-to.ts';
import { aGuest, aUser } from '../../testing/people.ts';
import { createGuard } from '../guard.ts';
import { driverPages } from './driver.ts';

/** Where the driver's page at this address redirects a user; null lets them pass. */
async function opening(path: string, address: string, user: ReturnType<typeof aUser> | null, params = {}) {
  const page = driverPages.find((declared) => declared.path === path);
  if (!page) throw new Error(`No page at ${path}`);
  const queryClient = new QueryClient();
  queryClient.setQueryData(accountQueries.user().queryKey, user);
  try {
    await createGuard(queryClient)(page, { request: new Request(`http://localhost${address}`), params });
    return null;
  } catch (thrown) {
    return (thrown as Response).headers.get('Location');
  }
}

beforeEach(() => sessionStorage.clear());

describe("the driver's pages", () => {
  it.each([
    ['/station/:station', '/station/F1400'],
    ['/station/v/:station', '/station/v/F1500'],
  ])('%s requires sign-in [GUARD-08]', async (path, address) => {
    expect(await opening(path, address, null)).toBe('/auth');
    expect(returnTo()).toBe(address);
    expect(await opening(path, address, aGuest())).toBeNull();
  });

  it('/status requires sign-in [GUARD-09]', async () => {
    const params = { operation: '12' };
    expect(await opening('/status/:operation', '/status/12', null, params)).toBe('/auth');
    expect(await opening('/status/:operation', '/status/12', aUser(), params)).toBeNull();
  });

  it('redirect a user who may have only one operation to its status page while it is open [GUARD-07]', async () => {
    const guest = aGuest({ active_operations: [12] });
    for (const path of ['/', '/map', '/qr', '/station/:station', '/active']) {
      expect(await opening(path, '/anywhere', guest)).toBe('/status/12');
    }
    expect(await opening('/status/:operation', '/status/12', guest, { operation: '12' })).toBeNull();
    const several = aUser({ active_operations: [12], permissions: ['use-app', 'have-multiple-operations'] });
    expect(await opening('/map', '/map', several)).toBeNull();
  });
});
