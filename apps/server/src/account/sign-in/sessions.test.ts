import { createHash } from 'node:crypto';
import { getUser, signIn, signInAsGuest, signOut } from '@fpay/contract/account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
let now = new Date('2026-11-15T10:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
});
afterAll(() => server.close());

const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
// The signature's age is measured with the server's clock, which these tests move.
const signed = () => ({ unixMs: now.getTime() });

async function signedIn(role: Parameters<TestServer['addUser']>[0] = 'User') {
  const user = await server.addUser(role);
  const client = server.client();
  const answer = await client.call(signIn, { body: { phone_number: user.phone, password: user.password } }, signed());
  expect(answer.status).toBe(200);
  return { client, user };
}

test('only a hash of the session token is stored [AUTH-11]', async () => {
  const { client } = await signedIn();
  const token = client.jar.get('fpay_session') ?? '';
  const rows = await server.db.selectFrom('sessions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  const hash = createHash('sha256').update(token).digest();
  expect(rows.some((row) => row.token_hash.equals(hash))).toBe(true);
});

test('over https the session cookie is Secure and bound to the host [AUTH-11]', async () => {
  const https = await startTestServer({ env: { PUBLIC_URL: 'https://fpay.example' } });
  try {
    const { headers } = await https.client().get('/sanctum/csrf-cookie');
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-fpay_session=.*; HttpOnly; Secure; SameSite=Lax$/);
    expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
  } finally {
    await https.close();
  }
});

test('signing in creates a new session and a new token; the old one is worthless [AUTH-12]', async () => {
  const user = await server.addUser();
  const client = server.client();
  await client.get('/sanctum/csrf-cookie');
  const planted = new Map(client.jar);
  await client.call(signIn, { body: { phone_number: user.phone, password: user.password } }, signed());
  expect(client.jar.get('fpay_session')).not.toBe(planted.get('fpay_session'));
  expect(client.jar.get('XSRF-TOKEN')).not.toBe(planted.get('XSRF-TOKEN'));
  const thief = server.client();
  for (const [name, value] of planted) thief.jar.set(name, value);
  expect((await thief.call(getUser)).status).toBe(401);
});

test('signing out ends the session on the server, not only in the browser [AUTH-12]', async () => {
  const { client } = await signedIn();
  const copy = server.client();
  for (const [name, value] of client.jar) copy.jar.set(name, value);
  expect((await client.call(signOut, {}, signed())).status).toBe(204);
  expect(client.jar.has('fpay_session')).toBe(false);
  expect((await copy.call(getUser)).status).toBe(401);
});

test('a session slides 30 days, staff 12 hours, and sends its cookies again when it slides [AUTH-12]', async () => {
  const driver = await signedIn();
  const staff = await signedIn('Support');
  later(11 * hourMs);
  const slid = await staff.client.call(getUser);
  expect([slid.status, slid.headers.getSetCookie().length]).toEqual([200, 2]);
  later(11 * hourMs);
  expect((await staff.client.call(getUser)).status).toBe(200);
  later(12 * hourMs + 1);
  expect((await staff.client.call(getUser)).status).toBe(401);
  for (let visit = 0; visit < 3; visit += 1) {
    later(28 * dayMs);
    expect((await driver.client.call(getUser)).status).toBe(200);
  }
  later(30 * dayMs + 1);
  expect((await driver.client.call(getUser)).status).toBe(401);
});

test('a session ends after 90 days however often it is used, a staff session after 7 days [AUTH-12]', async () => {
  const driver = await signedIn();
  const staff = await signedIn('Support');
  for (let visit = 0; visit < 14; visit += 1) {
    expect((await staff.client.call(getUser)).status).toBe(200);
    later(12 * hourMs - 1);
  }
  later(14);
  expect((await staff.client.call(getUser)).status).toBe(401);
  for (let day = 7; day < 90; day += 10) {
    expect((await driver.client.call(getUser)).status).toBe(200);
    later(10 * dayMs);
  }
  expect((await driver.client.call(getUser)).status).toBe(401);
});

test('the 90 days do not end a session in the middle of a charge [AUTH-12]', async () => {
  const { client, user } = await signedIn();
  for (let day = 0; day < 80; day += 20) {
    expect((await client.call(getUser)).status).toBe(200);
    later(20 * dayMs);
  }
  const operation = await addOperation(server, user.id, 'ongoing');
  later(15 * dayMs);
  for (const _ of [1, 2]) {
    expect((await client.call(getUser)).status).toBe(200);
    await server.sessions.removeEnded();
    later(2 * 60_000);
  }
  await server.db.updateTable('operations').set({ status: 'finished' }).where('id', '=', operation).execute();
  expect((await client.call(getUser)).status).toBe(401);
});

test('a session never ends while its user has an open operation [AUTH-12]', async () => {
  const { client, user } = await signedIn();
  const operation = await addOperation(server, user.id, 'ongoing');
  later(60 * dayMs);
  const kept = await client.call(getUser);
  expect([kept.status, kept.body.active_operations]).toEqual([200, [operation]]);
  await server.db.updateTable('operations').set({ status: 'finished' }).where('id', '=', operation).execute();
  later(60 * dayMs);
  expect((await client.call(getUser)).status).toBe(401);
});

test('a guest is a separate user, signed in at once; a second press creates no second one', async () => {
  const client = server.client();
  const guest = await client.call(signInAsGuest, {}, signed());
  expect(guest.body).toMatchObject({ name: 'Guest', role: 'Guest', is_temporary: true, permissions: ['use-app'] });
  expect(guest.body.phone_number).toMatch(/^TMP\d{10}$/);
  const again = await client.call(signInAsGuest, {}, signed());
  expect(again.body.id).toBe(guest.body.id);
});

test('an unknown phone and a wrong password get the same answer; a banned user learns it only with the right password', async () => {
  const user = await server.addUser();
  const banned = await server.addUser('Banned');
  const attempt = async (phone: string, password: string) => {
    const { status, body } = await server.client().call(signIn, { body: { phone_number: phone, password } }, signed());
    return { status, code: body.code };
  };
  const refused = { status: 401, code: 'bad_credentials' };
  expect(await attempt('+380990000000', 'whatever-it-is')).toEqual(refused);
  expect(await attempt(user.phone, 'whatever-it-is')).toEqual(refused);
  expect(await attempt(banned.phone, 'whatever-it-is')).toEqual(refused);
  expect(await attempt(banned.phone, banned.password)).toEqual({ status: 403, code: 'banned' });
});

test('a user banned while signed in is refused by every call', async () => {
  const { client, user } = await signedIn();
  await server.db.updateTable('users').set({ role: 'Banned' }).where('id', '=', user.id).execute();
  expect(await client.call(getUser)).toMatchObject({ status: 403, body: { code: 'banned' } });
});
