import { signIn } from '@fpay/contract/account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

let first: TestServer;
let second: TestServer;
beforeAll(async () => {
  first = await startTestServer();
  second = await startTestServer({ database: first.database });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

test('a limit holds across nodes: failures at one count at the other, and the answer says how long to wait', async () => {
  const { phone, password } = await first.addUser();
  const [a, b] = [first.client(), second.client()];
  const attempt = (client: typeof a, tried: string) =>
    client.call(signIn, { body: { phone_number: phone, password: tried } });
  const statuses: number[] = [];
  for (const client of [a, b, a, b, a]) statuses.push((await attempt(client, 'wrong')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401]);

  const limited = await attempt(b, password);
  expect(limited).toMatchObject({ status: 429, body: { message: 'Too Many Attempts.' } });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(limited.headers.get('x-ratelimit-limit')).toBe('5');
  expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');

  // Another user is not affected.
  const other = await first.addUser();
  expect((await a.call(signIn, { body: { phone_number: other.phone, password: other.password } })).status).toBe(200);
});
