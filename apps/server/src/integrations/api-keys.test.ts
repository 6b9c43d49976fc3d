import {
  type ApiScope,
  addApiKey,
  apiKeyList,
  apiScopes,
  revokeApiKey,
} from '@fpay/contract/admin/integrations/api-keys';
import { banUser, setRole } from '@fpay/contract/admin/users';
import { scopeCalls } from '@fpay/contract/api-scopes';
import type { Endpoint } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { appointStaff } from '../account/appoint-staff.ts';
import { createAudit } from '../platform/audit.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { revokeKeys } from './api-keys.ts';

let now = Date.parse('2026-11-17T10:00:00Z');
const clock = { now: () => new Date(now) };
let server: TestServer;
let otherNode: TestServer;
let admin: { client: Client; id: number };
beforeAll(async () => {
  server = await startTestServer({ clock });
  otherNode = await startTestServer({ clock, database: server.database });
  admin = await server.signedIn('Admin');
});
afterAll(async () => {
  await otherNode.close();
  await server.close();
});
beforeEach(() => server.db.deleteFrom('rate_limits').execute());

interface Wanted {
  scopes?: ApiScope[];
  callsPerMinute?: number;
  expiresAt?: string | null;
  by?: Client;
}

async function addKey({ scopes = ['stations'], callsPerMinute = 6_000, expiresAt = null, by }: Wanted = {}) {
  const { status, body } = await (by ?? admin.client).call(addApiKey, {
    body: { name: 'Fleet', scopes, calls_per_minute: callsPerMinute, expires_at: expiresAt },
  });
  expect(status).toBe(200);
  return body;
}

interface KeyAnswer {
  status: number;
  code: string;
  message: string;
  headers: Headers;
}

async function callBy(
  key: string,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  at = server,
): Promise<KeyAnswer> {
  const response = await fetch(at.url + path.replace(/:\w+/g, '999999'), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body: '{}' }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const { code = '', message = '' } = isJson && text ? JSON.parse(text) : {};
  return { status: response.status, code, message, headers: response.headers };
}

const stationList = { method: 'GET', path: '/api/admin/network/stations' } as const;

/** Copied by hand, independently of the contract, so that neither can change alone. */
const callsOfScopes: Record<ApiScope, string[]> = {
  stations: [
    'GET /api/station/:number',
    'GET /api/connectors/:number',
    'GET /api/admin/network/stations',
    'GET /api/admin/network/stations/:number',
    'GET /api/admin/network/tariffs',
    'GET /api/admin/network/tariffs/:id',
    'GET /api/admin/network/charge-points',
    'GET /api/admin/network/charge-points/:id',
    'GET /api/admin/network/overview',
  ],
  operations: [
    'POST /api/admin/operations/last/:count',
    'POST /api/admin/operations/count',
    'GET /api/admin/operation/:id',
    'GET /api/admin/operation/timeline/:id',
    'GET /api/admin/operation/curve/:id',
  ],
  statistics: ['GET /api/admin/stats', 'GET /api/admin/stats/charts', 'GET /api/admin/network/stations/:number/report'],
  webhooks: [
    'GET /api/admin/integrations/webhooks',
    'POST /api/admin/integrations/webhooks',
    'PATCH /api/admin/integrations/webhooks/:id',
    'DELETE /api/admin/integrations/webhooks/:id',
    'POST /api/admin/integrations/webhooks/:id/secret',
    'POST /api/admin/integrations/webhooks/:id/pause',
    'DELETE /api/admin/integrations/webhooks/:id/pause',
    'POST /api/admin/integrations/webhooks/:id/test',
    'GET /api/admin/integrations/webhooks/:id/deliveries',
    'POST /api/admin/integrations/deliveries/:id/redeliver',
  ],
};

test.each(apiScopes)(
  'a key of the scope %s makes the calls of this scope and no other call of the product',
  async (scope) => {
    const { key } = await addKey({ scopes: [scope] });
    const admitted: string[] = [];
    for (const endpoint of endpoints) {
      const { status, code } = await callBy(key, endpoint);
      expect(status, `${endpoint.method} ${endpoint.path}`).toBeLessThan(500);
      if (code === 'api_key_scope') expect(status).toBe(403);
      else admitted.push(`${endpoint.method} ${endpoint.path}`);
    }
    expect(admitted.toSorted()).toEqual(callsOfScopes[scope].toSorted());
  },
  60_000,
);

test('no scope has a call that moves money or manages keys', () => {
  const calls = Object.values(scopeCalls).flat();
  expect(calls.filter(({ movesMoney, path }) => movesMoney || path.includes('/keys'))).toEqual([]);
});

test('a call by key needs neither a cookie nor a signature and gets the answer that staff get', async () => {
  const { key } = await addKey();
  const response = await fetch(`${server.url}${stationList.path}`, { headers: { authorization: `bearer ${key}` } });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual((await admin.client.get(stationList.path)).body);
});

test('a key beside a cookie of staff has only its own scopes', async () => {
  const { key } = await addKey({ scopes: ['statistics'] });
  const answer = await admin.client.get(stationList.path, { authorization: `Bearer ${key}` });
  expect(answer).toMatchObject({ status: 403, body: { code: 'api_key_scope' } });
});

test('a key is shown once; the list has its beginning and when it was used', async () => {
  const { id, key } = await addKey();
  expect(key).toMatch(/^fpk_[\w-]{43}$/);
  const itemOf = async () => (await admin.client.call(apiKeyList)).body.find((item) => item.id === id);
  expect(await itemOf()).toMatchObject({ prefix: key.slice(0, 10), state: 'active', last_used_at: null });
  await callBy(key, stationList);
  expect(await itemOf()).toMatchObject({ last_used_at: new Date(now).toISOString() });
  const stored = await server.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const secret = key.slice(10);
  expect(JSON.stringify([stored, await server.db.selectFrom('audit').selectAll().execute()])).not.toContain(secret);
});

test.each(['', 'fpk_', 'x', 'fpk_'.padEnd(47, 'A'), '%00'])('the wrong key %j is refused with 401', async (key) => {
  const { status, code } = await callBy(key, stationList);
  // Without a key the call is that of a visitor.
  expect([status, code]).toEqual([401, key === '' ? 'unauthenticated' : 'api_key_invalid']);
});

test('wrong keys from one address are limited', async () => {
  const wrong = 'fpk_'.padEnd(47, 'A');
  const statuses: number[] = [];
  for (let tries = 0; tries < 62; tries += 1) statuses.push((await callBy(wrong, stationList)).status);
  expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
  expect(statuses.slice(60)).toEqual([429, 429]);
});

test('a key works until it expires and not in that moment', async () => {
  const { key } = await addKey({ expiresAt: new Date(now + 60_000).toISOString() });
  now += 59_999;
  expect((await callBy(key, stationList)).status).toBe(200);
  now += 1;
  expect(await callBy(key, stationList)).toMatchObject({ status: 401, code: 'api_key_expired' });
});

test('an expiry in the past is refused', async () => {
  const { status, body } = await admin.client.call(addApiKey, {
    body: { name: 'Late', scopes: ['stations'], calls_per_minute: 1, expires_at: new Date(now).toISOString() },
  });
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['expires_at']]);
});

test('a revoked key is refused at once by every node, and a second revocation is refused', async () => {
  const { id, key } = await addKey();
  expect((await callBy(key, stationList, otherNode)).status).toBe(200);
  expect((await admin.client.call(revokeApiKey, { params: { id: String(id) } })).status).toBe(204);
  for (const node of [server, otherNode]) {
    expect(await callBy(key, stationList, node)).toMatchObject({ status: 401, code: 'api_key_revoked' });
  }
  expect((await admin.client.call(revokeApiKey, { params: { id: String(id) } })).status).toBe(409);
});

test('of two revocations at once one is recorded', async () => {
  const { id } = await addKey();
  const revoke = () => admin.client.call(revokeApiKey, { params: { id: String(id) } });
  const statuses = (await Promise.all([revoke(), revoke(), revoke()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([204, 409, 409]);
  const records = await server.db
    .selectFrom('audit')
    .select('action')
    .where('subject_kind', '=', 'api-key')
    .where('subject_id', '=', String(id))
    .orderBy('id')
    .execute();
  expect(records.map(({ action }) => action)).toEqual(['api-key.add', 'api-key.revoke']);
});

test('calls at once on two nodes are counted together, and the answer says when to try again', async () => {
  const { key } = await addKey({ callsPerMinute: 10 });
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => callBy(key, stationList, index % 2 === 0 ? server : otherNode)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const [refused] = answers.filter(({ status }) => status === 429);
  expect(refused?.message).toBe('This API key may make 10 calls a minute');
  expect(refused?.headers.get('retry-after')).toBe('60');
  expect(refused?.headers.get('x-ratelimit-limit')).toBe('10');
  now += 60_001;
  expect((await callBy(key, stationList)).status).toBe(200);
});

test('one key does not use up the limit of another', async () => {
  const [first, second] = [await addKey({ callsPerMinute: 1 }), await addKey({ callsPerMinute: 1 })];
  await callBy(first.key, stationList);
  expect((await callBy(first.key, stationList)).status).toBe(429);
  expect((await callBy(second.key, stationList)).status).toBe(200);
});

test('a key of a user who loses the right is revoked for good: it does not work again when they get the right back', async () => {
  const owner = await server.signedIn('Admin');
  const boss = await server.signedIn('SuperAdmin');
  const { id, key } = await addKey({ by: owner.client });
  const give = async (role: 'Support' | 'Admin') =>
    expect((await boss.client.call(setRole, { body: { user_id: owner.id, role } })).status).toBe(200);
  await give('Support');
  await give('Admin');
  expect(await callBy(key, stationList)).toMatchObject({ status: 401, code: 'api_key_revoked' });
  const list = (await admin.client.call(apiKeyList)).body;
  expect(list.find((item) => item.id === id)?.state).toBe('revoked');
  const record = server.db.selectFrom('audit').select('after').where('subject_id', '=', String(owner.id));
  expect(await record.where('action', '=', 'user.set-role').orderBy('id').execute()).toEqual([
    { after: { role: 'Support', revoked_keys: [id] } },
    { after: { role: 'Admin' } },
  ]);

  // A ban and the command line take rights too.
  const banned = await server.signedIn('Admin');
  const second = await addKey({ by: banned.client });
  expect((await boss.client.call(banUser, { body: { user_id: banned.id } })).status).toBe(200);
  const appointed = await server.signedIn('Admin');
  const third = await addKey({ by: appointed.client });
  const given = { users: server.users, audit: createAudit(server.clock), clock: server.clock, revokeKeys };
  await server.steps.run((step) => appointStaff(step, given, appointed.id, 'Analytic'));
  const { body } = await admin.client.call(apiKeyList);
  for (const one of [second.id, third.id]) expect(body.find((item) => item.id === one)?.state).toBe('revoked');
});

test('a key stops working when the user who created it loses the right', async () => {
  const owner = await server.signedIn('Admin');
  const { id, key } = await addKey({ by: owner.client });
  expect((await callBy(key, stationList)).status).toBe(200);
  await server.db.updateTable('users').set({ role: 'Support' }).where('id', '=', owner.id).execute();
  expect(await callBy(key, stationList)).toMatchObject({ status: 401, code: 'api_key_revoked' });
  const list = (await admin.client.call(apiKeyList)).body;
  expect(list.find((item) => item.id === id)?.state).toBe('ownerless');
});
