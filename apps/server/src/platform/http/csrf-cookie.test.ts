import { checkPhoneFree } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => server.close());

const signedCall = async (client: ReturnType<TestServer['client']>) =>
  (await client.call(checkPhoneFree, { body: { phone_number: '+380671112233' } })).status;

test('the CSRF cookie of a visitor writes no session, and signed calls of a visitor write none either [API-04]', async () => {
  const clients = Array.from({ length: 20 }, () => server.client());
  for (const client of clients) expect((await client.get('/sanctum/csrf-cookie')).status).toBe(204);
  for (const client of clients.slice(0, 3)) expect(await signedCall(client)).toBe(200);
  expect(await server.db.selectFrom('sessions').select('id').execute()).toEqual([]);
});

test('the token of one visitor does not fit the session of another', async () => {
  const [one, other] = [server.client(), server.client()];
  for (const client of [one, other]) await client.get('/sanctum/csrf-cookie');
  one.jar.set('XSRF-TOKEN', other.jar.get('XSRF-TOKEN') ?? '');
  expect(await signedCall(one)).toBe(419);
});

test('a visitor whose cookie is no longer valid gets 419, and succeeds with the next cookie', async () => {
  const client = server.client();
  await client.get('/sanctum/csrf-cookie');
  client.jar.set('fpay_session', `${client.jar.get('fpay_session')}x`);
  expect(await signedCall(client)).toBe(419);
  await client.get('/sanctum/csrf-cookie');
  expect(await signedCall(client)).toBe(200);
});

test('one address may fetch 600 CSRF cookies for new visitors a minute; a known visitor is not counted', async () => {
  const from = { 'x-forwarded-for': '198.51.100.7' };
  const fetchCookie = async (client = server.client()) => (await client.get('/sanctum/csrf-cookie', from)).status;
  const known = server.client();
  expect(await fetchCookie(known)).toBe(204);
  await server.db
    .updateTable('rate_limits')
    .set({ count: 599 })
    .where('key', '=', 'csrf:address:198.51.100.7')
    .execute();
  expect([await fetchCookie(), await fetchCookie(), await fetchCookie(known)]).toEqual([204, 429, 204]);
});
