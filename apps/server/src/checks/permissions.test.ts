import { signOut } from '@fpay/contract/account';
import { isMutating } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { type Role, roles } from '@fpay/contract/roles';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { callPermissions, rolePermissions, withoutNames } from '../testing/permission-tables.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
// Every role makes every call from one address, which is more than the limit of an address allows in a minute.
beforeEach(() => server.db.deleteFrom('rate_limits').execute());

// Signing out comes last, because later calls would be a visitor's. Sign-ins would change the user of the client, and
// the calls of the second factor are for users who are half signed in; account/ tests those.
const ownTests = ['/api/login', '/api/guest', '/api/login/otps', '/api/login/otp'];
const asked = endpoints
  .filter((endpoint) => !ownTests.includes(endpoint.path))
  .toSorted((a, b) => Number(a === signOut) - Number(b === signOut));

const nameOf = ({ method, path }: (typeof endpoints)[number]) => withoutNames(`${method} ${path}`);

async function isAdmitted(client: Client, { method, path }: (typeof endpoints)[number]): Promise<boolean> {
  const url = path.replace(/:\w+/g, '999999');
  const { status, body } = isMutating(method) ? await client.mutate(method, url, {}) : await client.get(url);
  expect(status, `${method} ${url}`).not.toBe(500);
  return !(status === 401 || (status === 403 && ['forbidden', 'banned'].includes(body.code)));
}

function isAllowed(role: string | null, rule: string): boolean {
  if (rule === 'anyone') return true;
  if (role === null || role === 'Banned') return false;
  if (rule === 'signed-in') return true;
  const has = (rolePermissions[role] ?? '').split(' ');
  return rule.split(' ').every((permission) => has.includes(permission));
}

test('every declared call is in the permission table', () => {
  expect(endpoints.map(nameOf).filter((name) => !callPermissions.has(name))).toEqual([]);
});

test.each(roles.filter((role) => role !== 'Banned'))(
  'the server lets the role %s make the calls of its permissions and no others [ROLE-18] [ADM-OP-29]',
  async (role) => {
    const { client } = await server.signedIn(role);
    const admitted: Record<string, boolean> = {};
    for (const endpoint of asked) admitted[nameOf(endpoint)] = await isAdmitted(client, endpoint);
    const expected = asked.map((endpoint) => [
      nameOf(endpoint),
      isAllowed(role, callPermissions.get(nameOf(endpoint)) ?? ''),
    ]);
    expect(admitted).toEqual(Object.fromEntries(expected));
  },
  // Every call of the product is made once, which takes long on a busy machine.
  60_000,
);

test('a visitor and a banned user may only make the calls that anyone may [ROLE-18] [ROLE-02]', async () => {
  const visitor = server.client();
  const { client: banned, id } = await server.signedIn('User');
  await server.db.updateTable('users').set({ role: 'Banned' }).where('id', '=', id).execute();
  for (const endpoint of asked) {
    const expected = callPermissions.get(nameOf(endpoint)) === 'anyone';
    expect([nameOf(endpoint), await isAdmitted(visitor, endpoint)]).toEqual([nameOf(endpoint), expected]);
    expect([nameOf(endpoint), await isAdmitted(banned, endpoint)]).toEqual([nameOf(endpoint), expected]);
  }
});

test('an unknown role has no rights [ROLE-03]', async () => {
  const { client, id } = await server.signedIn('SuperAdmin');
  await server.db.updateTable('users').set({ role: sql<Role>`'Overlord'` }).where('id', '=', id).execute();
  expect(await client.get('/api/user')).toMatchObject({ status: 403, body: { code: 'banned' } });
});
