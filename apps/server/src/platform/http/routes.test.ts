import { randomBytes } from 'node:crypto';
import { endpoint } from '@fpay/contract/endpoint';
import { signatureMaxAgeMs } from '@fpay/contract/signature';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createSessions } from '../../account/sign-in/sessions.ts';
import { createTestClient } from '../../testing/client.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { freeTestPort } from '../../testing/server.ts';
import { systemClock } from '../clock.ts';
import { type DatabaseHandle, openDatabase } from '../database.ts';
import { createRateLimits } from '../rate-limits.ts';
import { Refusal } from '../refusal.ts';
import { createMetrics } from '../watching/metrics.ts';
import { createSessionCookies } from './cookies.ts';
import { csrfCookieRoute } from './csrf-cookie.ts';
import { createNonces } from './nonces.ts';
import { createRoutes } from './routes.ts';
import { createHttpServer } from './server.ts';
import { createVisitors } from './visitors.ts';

const body = z.object({ amount: z.int().check(z.gte(1)), to: z.optional(z.string()) });
const common = { method: 'POST', summary: '', access: 'anyone', body } as const;
const give = endpoint({ ...common, path: '/api/give', reply: z.object({ given: z.int() }), movesMoney: true });
const note = endpoint({ ...common, path: '/api/note', reply: z.object({ noted: z.int() }) });
const remove = endpoint({ ...common, method: 'DELETE', path: '/api/note/:id', params: z.object({ id: z.string() }) });

let database: TestDatabase;
let handle: DatabaseHandle;
let url: string;
let close: () => Promise<void>;
let given = 0;
let handled = 0;
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  database = await testDatabase();
  handle = openDatabase({ url: database.appUrl });
  const port = await freeTestPort();
  url = `http://127.0.0.1:${port}`;
  const app = await createHttpServer({
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    publicUrl: new URL(url),
    trustProxy: [],
    imageHosts: [],
    connectHosts: [],
  });
  const sessions = createSessions(handle.db, systemClock);
  const cookies = createSessionCookies(false);
  const visitors = createVisitors({ secret: randomBytes(32).toString('hex'), clock: systemClock });
  const limits = createRateLimits(handle.db, systemClock);
  csrfCookieRoute(app, { sessions, visitors, cookies, limits });
  const routes = createRoutes({
    app,
    sessions,
    visitors,
    cookies,
    nonces: createNonces(handle.db, systemClock),
    limits,
    clock: systemClock,
    isDown: () => false,
    checkReplies: true,
  });
  routes.on(give, async (call) => {
    await gate;
    handled += 1;
    if (call.body.amount === 402) throw new Refusal('forbidden');
    if (call.body.amount === 500) throw new Error('a bug');
    given += call.body.amount;
    return { given };
  });
  routes.on(note, async (call) => ({ noted: call.body.amount }));
  routes.on(remove, async () => undefined);
  await app.listen({ port, host: '127.0.0.1' });
  close = () => app.close();
});

afterAll(async () => {
  await close();
  await handle.close();
  await database.drop();
});

const nonce = () => randomBytes(16).toString('base64url');

test('a mutating call without the CSRF token, or with a wrong one, is 419 [API-04]', async () => {
  const client = createTestClient(url);
  const without = await client.mutate('POST', '/api/note', { amount: 1 }, { csrf: null });
  expect(without).toMatchObject({ status: 419, body: { message: 'CSRF token mismatch.' } });
  const wrong = await client.mutate('POST', '/api/note', { amount: 1 }, { csrf: 'x'.repeat(43) });
  expect(wrong.status).toBe(419);
  expect((await client.mutate('POST', '/api/note', { amount: 1 })).status).toBe(200);
});

test('the CSRF cookie answers 204 with a token the page can read and a session it cannot [API-04] [AUTH-11]', async () => {
  const { status, headers, body: text } = await createTestClient(url).get('/sanctum/csrf-cookie');
  const [session = '', token = ''] = headers.getSetCookie();
  expect({ status, text }).toEqual({ status: 204, text: '' });
  expect(token).toMatch(/^XSRF-TOKEN=[\w-]{43}; .*SameSite=Lax$/);
  expect(token).not.toMatch(/HttpOnly/);
  expect(session).toMatch(/^fpay_session=v[\w.-]+; .*HttpOnly; SameSite=Lax$/);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a missing, malformed or forged signature is 403 and nothing happens [API-05] [API-06]', async () => {
  const client = createTestClient(url);
  const before = given;
  for (const signature of [null, 'nonsense', `v1.${Date.now()}.${nonce()}.${'A'.repeat(43)}`]) {
    const answer = await client.mutate('POST', '/api/give', { amount: 5 }, { signature });
    expect(answer).toMatchObject({ status: 403, body: { message: 'Invalid signature' } });
  }
  expect(given).toBe(before);
});

test('a signature is bound to method, path and body [API-05]', async () => {
  const client = createTestClient(url);
  const keep: { signature?: string } = {};
  const original = await client.mutate('POST', '/api/note', { amount: 1 });
  expect(original.status).toBe(200);
  const token = client.jar.get('XSRF-TOKEN') ?? '';
  const { createHash, createHmac } = await import('node:crypto');
  const unixMs = Date.now();
  const once = nonce();
  const hash = createHash('sha256').update('{"amount":1}').digest('hex');
  const mac = createHmac('sha256', token).update(`POST\n/api/note\n${unixMs}\n${once}\n${hash}`).digest('base64url');
  keep.signature = `v1.${unixMs}.${once}.${mac}`;
  const headers = { 'x-xsrf-token': token };
  expect((await client.send('POST', '/api/give', { amount: 1, ...keep }, headers)).status).toBe(403);
  expect((await client.send('POST', '/api/note', { amount: 2, ...keep }, headers)).status).toBe(403);
  expect((await client.send('DELETE', '/api/note/1', { amount: 1, ...keep }, headers)).status).toBe(403);
  expect((await client.send('POST', '/api/note', { amount: 1, ...keep }, headers)).status).toBe(200);
});

test('a request signed over five minutes ago is refused with the server time, and accepted once it is signed again [API-06]', async () => {
  const client = createTestClient(url);
  const before = given;
  const once = nonce();
  const old = await client.mutate(
    'POST',
    '/api/give',
    { amount: 7 },
    { nonce: once, unixMs: Date.now() - signatureMaxAgeMs - 1000 },
  );
  expect(old).toMatchObject({ status: 403, body: { message: 'Signature expired' } });
  expect(Math.abs(old.body.server_time - Date.now())).toBeLessThan(5_000);
  const ahead = await client.mutate(
    'POST',
    '/api/note',
    { amount: 7 },
    { unixMs: Date.now() + signatureMaxAgeMs + 60_000 },
  );
  expect(ahead.status).toBe(403);
  const again = await client.mutate('POST', '/api/give', { amount: 7 }, { nonce: once });
  expect(again.status).toBe(200);
  expect(given).toBe(before + 7);
});

test('a repeated money-moving call gets the first answer and moves nothing, even when its signature is old by then [API-07]', async () => {
  const client = createTestClient(url);
  const once = nonce();
  const first = await client.mutate('POST', '/api/give', { amount: 11 }, { nonce: once });
  const moved = given;
  const second = await client.mutate('POST', '/api/give', { amount: 11 }, { nonce: once });
  const late = await client.mutate(
    'POST',
    '/api/give',
    { amount: 11 },
    { nonce: once, unixMs: Date.now() - 10 * 60_000 },
  );
  expect([second.body, late.body]).toEqual([first.body, first.body]);
  expect(given).toBe(moved);
});

test('a repeat while the first call still runs waits for its answer [API-07]', async () => {
  const client = createTestClient(url);
  await client.get('/sanctum/csrf-cookie');
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const once = nonce();
  const before = handled;
  const calls = [1, 2, 3].map(() => client.mutate('POST', '/api/give', { amount: 13 }, { nonce: once }));
  setTimeout(open, 300);
  const answers = await Promise.all(calls);
  gate = Promise.resolve();
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(handled).toBe(before + 1);
});

test('the same nonce with another body is 422; a repeat of a call that moves no money is 409 [API-07]', async () => {
  const client = createTestClient(url);
  const once = nonce();
  await client.mutate('POST', '/api/give', { amount: 1 }, { nonce: once });
  const other = await client.mutate('POST', '/api/give', { amount: 2 }, { nonce: once });
  expect(other.status).toBe(422);
  const noted = nonce();
  expect((await client.mutate('POST', '/api/note', { amount: 1 }, { nonce: noted })).status).toBe(200);
  expect((await client.mutate('POST', '/api/note', { amount: 1 }, { nonce: noted })).status).toBe(409);
});

test('nonces belong to their owner: two visitors may draw the same one', async () => {
  const once = nonce();
  const answers = await Promise.all(
    [createTestClient(url), createTestClient(url)].map((client) =>
      client.mutate('POST', '/api/note', { amount: 1 }, { nonce: once }),
    ),
  );
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
});

test('a refusal of a money-moving call is its final answer; after a bug the same request may be tried again', async () => {
  const client = createTestClient(url);
  const refused = nonce();
  const before = handled;
  const first = await client.mutate('POST', '/api/give', { amount: 402 }, { nonce: refused });
  const second = await client.mutate('POST', '/api/give', { amount: 402 }, { nonce: refused });
  expect([first.status, second.status, second.body]).toEqual([403, 403, first.body]);
  expect(handled).toBe(before + 1);
  const broken = nonce();
  expect((await client.mutate('POST', '/api/give', { amount: 500 }, { nonce: broken })).body).toEqual({
    message: 'Server Error',
  });
  expect((await client.mutate('POST', '/api/give', { amount: 500 }, { nonce: broken })).status).toBe(500);
  expect(handled).toBe(before + 3);
});

test('a repeat runs a call again whose process died', async () => {
  const client = createTestClient(url);
  await client.get('/sanctum/csrf-cookie');
  const once = nonce();
  // What a killed process leaves behind: an expired claim without an answer.
  await client.mutate('POST', '/api/give', { amount: 17 }, { nonce: once });
  await handle.db
    .updateTable('request_nonces')
    .set({ status: null, answer: null, claimed_until: new Date(Date.now() - 1) })
    .where('nonce', '=', once)
    .execute();
  const before = handled;
  expect((await client.mutate('POST', '/api/give', { amount: 17 }, { nonce: once })).status).toBe(200);
  expect(handled).toBe(before + 1);
});

test('two tabs share one session: a token renewed in one serves the other, which reads the cookie when it sends', async () => {
  const tab = createTestClient(url);
  await tab.get('/sanctum/csrf-cookie');
  const other = createTestClient(url);
  for (const [name, value] of tab.jar) other.jar.set(name, value);
  await other.get('/sanctum/csrf-cookie');
  const answers = await Promise.all([
    tab.mutate('POST', '/api/note', { amount: 1 }),
    other.mutate('POST', '/api/note', { amount: 2 }),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
});

test('bad input is a clear 4xx: malformed JSON, wrong type, too large, wrong content type, wrong fields [API-11]', async () => {
  const client = createTestClient(url);
  await client.get('/sanctum/csrf-cookie');
  const token = { 'x-xsrf-token': client.jar.get('XSRF-TOKEN') ?? '' };
  expect(await client.send('POST', '/api/note', '{"amount":', token)).toMatchObject({
    status: 400,
    body: { code: 'malformed_json' },
  });
  expect(await client.send('POST', '/api/note', '[1]', token)).toMatchObject({ status: 403 });
  expect(await client.send('POST', '/api/note', `{"__proto__":{"a":1}}`, token)).toMatchObject({ status: 400 });
  expect(
    await client.send('POST', '/api/note', 'amount=1', {
      ...token,
      'content-type': 'application/x-www-form-urlencoded',
    }),
  ).toMatchObject({ status: 415 });
  expect(await client.send('POST', '/api/note', JSON.stringify({ to: 'x'.repeat(70_000) }), token)).toMatchObject({
    status: 413,
  });
  const wrong = await client.mutate('POST', '/api/note', { amount: 'lots', to: 5, more: true });
  expect(wrong.status).toBe(422);
  expect(Object.keys(wrong.body.errors)).toEqual(['amount', 'to']);
  expect(wrong.body.message).toMatch(/\(and 1 more error\)$/);
  expect((await client.get('/api/%E0%A4%A')).status).toBe(400);
});

test('a request sent by another site is refused even with the token', async () => {
  const client = createTestClient(url);
  const answer = await client.mutate(
    'POST',
    '/api/note',
    { amount: 1 },
    { headers: { 'sec-fetch-site': 'cross-site' } },
  );
  expect(answer).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
});

test('a DELETE carries its signature in the body too and answers 204', async () => {
  const client = createTestClient(url);
  const answer = await client.mutate('DELETE', '/api/note/5', { amount: 1 });
  expect([answer.status, answer.body]).toEqual([204, '']);
});
