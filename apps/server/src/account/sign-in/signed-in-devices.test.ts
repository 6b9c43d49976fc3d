import { once } from 'node:events';
import { getUser, signIn } from '@fpay/contract/account';
import { negotiate } from '@fpay/contract/realtime';
import { endOtherSessions, endSession, getSessions } from '@fpay/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const minuteMs = 60_000;
const firefox = 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1';
let now = new Date('2026-11-15T10:00:00Z');
let server: TestServer;
let strict: TestServer;
beforeAll(async () => {
  const clock = { now: () => now };
  const env = { TRUST_PROXY: '127.0.0.1' };
  server = await startTestServer({ clock, env });
  strict = await startTestServer({ clock, env: { ...env, STAFF_SECOND_FACTOR: 'on' } });
});
afterAll(async () => {
  await strict.close();
  await server.close();
});

type Person = { phone: string; password: string };
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;
const signed = () => ({ unixMs: now.getTime() });

async function signInFrom(ip: string, userAgent: string, { phone, password }: Person, at = server) {
  const client = at.client();
  const headers = { 'x-forwarded-for': ip, 'user-agent': userAgent };
  const body = { phone_number: phone, password };
  const { status } = await client.call(signIn, { body }, { ...signed(), headers });
  expect(status).toBe(200);
  return client;
}
type Client = Awaited<ReturnType<typeof signInFrom>>;
const listOf = async (client: Client) => (await client.call(getSessions)).body.sessions;

test('a user sees where they are signed in: this device first, with names and a shortened network instead of raw data', async () => {
  const user = await server.addUser();
  const phone = await signInFrom('93.74.12.9', safari, user);
  now = new Date(now.getTime() + 5 * minuteMs);
  const desktop = await signInFrom('2a02:2378:11a:77::1', firefox, user);
  await signInFrom('93.74.12.9', safari, await server.addUser());
  const list = await listOf(phone);
  expect(list).toEqual([
    {
      id: expect.any(Number),
      browser: 'Safari',
      system: 'iPhone',
      network: '93.74.x.x',
      signed_in_at: '2026-11-15T10:00:00.000Z',
      last_seen_at: now.toISOString(),
      is_current: true,
    },
    expect.objectContaining({ browser: 'Firefox', system: 'Linux', network: '2a02:2378:x', is_current: false }),
  ]);
  expect((await listOf(desktop)).map(({ browser, is_current }) => [browser, is_current])).toEqual([
    ['Firefox', true],
    ['Safari', false],
  ]);
});

test('signing another device out ends its session and closes its live connection, and no other', async () => {
  const user = await server.addUser();
  const [own, lost] = [await signInFrom('93.74.12.9', safari, user), await signInFrom('93.74.12.9', firefox, user)];
  const live = async (client: Client) => {
    const { body } = await client.call(negotiate, { query: {} });
    const socket = new WebSocket(body.connectionString, 'json.webpubsub.azure.v1');
    await once(socket, 'open');
    return socket;
  };
  const socket = await live(lost);
  const closed = once(socket, 'close');
  const target = (await listOf(own)).find(({ is_current }) => !is_current);
  const ended = await own.call(endSession, { params: { id: String(target?.id) } }, signed());
  expect(ended.status).toBe(204);
  expect(Number((await closed)[0])).toBe(1008);
  expect((await lost.call(getUser)).status).toBe(401);
  expect((await lost.call(negotiate, { query: {} })).status).toBe(401);
  expect((await own.call(getUser)).status).toBe(200);
  now = new Date(now.getTime() + 1);
  (await live(own)).terminate();
});

test('a session of another user is as unknown as one that does not exist', async () => {
  const [user, other] = [await server.addUser(), await server.addUser()];
  const client = await signInFrom('93.74.12.9', safari, user);
  const stranger = await signInFrom('93.74.12.9', safari, other);
  const [theirs] = await listOf(stranger);
  for (const id of [theirs?.id ?? 0, 999_999]) {
    const answer = await client.call(endSession, { params: { id: String(id) } }, signed());
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  }
  expect((await stranger.call(getUser)).status).toBe(200);
});

test('signing out everywhere leaves this device signed in, ends all others, and no device is trusted any more', async () => {
  const user = await server.addUser();
  const own = await signInFrom('93.74.12.9', safari, user);
  const others = [await signInFrom('93.74.12.9', firefox, user), await signInFrom('10.0.0.7', firefox, user)];
  const expires_at = new Date(now.getTime() + minuteMs);
  const trusted = { token_hash: Buffer.alloc(32, 7), user_id: user.id, expires_at };
  await server.db.insertInto('trusted_devices').values(trusted).execute();
  expect((await own.call(endOtherSessions, {}, signed())).status).toBe(204);
  for (const client of others) expect((await client.call(getUser)).status).toBe(401);
  expect(await listOf(own)).toEqual([expect.objectContaining({ is_current: true })]);
  const left = await server.db.selectFrom('trusted_devices').select('user_id').where('user_id', '=', user.id).execute();
  expect(left).toEqual([]);
});

test('ending the session of this device signs it out', async () => {
  const client = await signInFrom('93.74.12.9', safari, await server.addUser());
  const [own] = await listOf(client);
  expect((await client.call(endSession, { params: { id: String(own?.id) } }, signed())).status).toBe(204);
  expect(client.jar.has('fpay_session')).toBe(false);
});

test('staff who still owe the code neither see nor end sessions', async () => {
  const client = await signInFrom('93.74.12.9', safari, await strict.addUser('Admin'), strict);
  expect((await client.call(getSessions)).body.code).toBe('second_factor_required');
  expect(codeOf(await client.call(endOtherSessions, {}, signed()))).toBe('second_factor_required');
  expect(codeOf(await client.call(endSession, { params: { id: '1' } }, signed()))).toBe('second_factor_required');
});

test('the last use of a session is written at most once a minute', async () => {
  const user = await server.addUser();
  const client = await signInFrom('93.74.12.9', safari, user);
  const seen = async () =>
    (
      await server.db
        .selectFrom('sessions')
        .select('last_seen_at')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
    ).last_seen_at;
  const first = await seen();
  now = new Date(now.getTime() + minuteMs);
  await client.call(getUser);
  expect(await seen()).toEqual(first);
  now = new Date(now.getTime() + 1);
  await client.call(getUser);
  expect(await seen()).toEqual(now);
});
