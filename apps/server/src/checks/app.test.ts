import { get as httpGet } from 'node:http';
import { Writable } from 'node:stream';
import { WebPubSubClient } from '@azure/web-pubsub-client';
import { getUser, signIn } from '@fpay/contract/account';
import { StaffMessage, staffGroup } from '@fpay/contract/admin/live';
import { endpoints } from '@fpay/contract/endpoints';
import { isDown } from '@fpay/contract/maintenance';
import { negotiate } from '@fpay/contract/realtime';
import { can, roles } from '@fpay/contract/roles';
import { getSettings } from '@fpay/contract/settings';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp } from '../app/app.ts';
import { createChargePointRegistry, readConnector } from '../network/charge-points.ts';
import { monobank } from '../payments/monobank/terms.ts';
import { redaction } from '../platform/watching/logging.ts';
import { createTestClient } from '../testing/client.ts';
import { testDatabase } from '../testing/database.ts';
import { addOperation } from '../testing/operation.ts';
import { startProxy } from '../testing/proxy.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let a: TestServer;
let b: TestServer;
beforeAll(async () => {
  a = await startTestServer();
  b = await startTestServer({
    database: a.database,
    config: { secret: a.config.secret, publicUrl: a.config.publicUrl },
  });
});
afterAll(async () => {
  await b.close();
  await a.close();
});

/** Both nodes have one public address; a test chooses which of them answers. */
const atNodeB = (connectionString: string) => connectionString.replace(`:${a.port}/`, `:${b.port}/`);

test('the server is alive and ready, and serves metrics only on their own port', async () => {
  const client = a.client();
  expect((await client.get('/healthz')).body).toEqual({ status: 'ok' });
  expect((await client.get('/readyz')).body).toEqual({ status: 'ready' });
  const elsewhere = await fetch(`http://127.0.0.1:${a.port}/metrics`);
  expect(await elsewhere.text()).not.toContain('fpay_http_request_duration_seconds');
  const figures = await (await fetch(`http://127.0.0.1:${a.metricsPort}/metrics`)).text();
  expect(figures).toMatch(/fpay_http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\}/);
});

test('an unknown call is a JSON 404, whatever its method [API-11]', async () => {
  const client = a.client();
  expect(await client.get('/api/no/such/call')).toMatchObject({ status: 404, body: { message: 'Not found' } });
  expect(await client.mutate('POST', '/api/no/such/call')).toMatchObject({
    status: 404,
    body: { message: 'Not found' },
  });
  expect((await client.mutate('DELETE', '/api/is-down')).status).toBe(404);
});

test('every answer has strict headers and a request id', async () => {
  const { headers } = await a.client().get('/api/is-down');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'self'/);
  expect(policy).not.toMatch(/unsafe/);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

test('the maintenance state has its four fields, and while down other calls answer 503 with the message [API-53] [ERR-01]', async () => {
  const { client } = await a.signedIn();
  const up = await client.call(isDown);
  expect(up.body).toEqual({ is_down: false, start_time: null, end_time: null, text: null });
  const startTime = new Date(Date.now() - 1000);
  const endTime = new Date(Date.now() + 60_000);
  await a.maintenance.shutDown({ startTime, endTime, text: 'Нова підстанція' });
  try {
    const onOther = b.client();
    await vi.waitFor(async () =>
      expect((await onOther.call(isDown)).body).toEqual({
        is_down: true,
        start_time: startTime.toISOString(),
        end_time: endTime.toISOString(),
        text: 'Нова підстанція',
      }),
    );
    const refused = await onOther.mutate('POST', '/api/guest');
    expect(refused).toMatchObject({
      status: 503,
      body: { message: 'The application is currently unavailable due to maintenance work' },
    });
    // A driver whose car is charging can still see that they are signed in.
    expect((await client.call(getUser)).status).toBe(200);
  } finally {
    await a.maintenance.turnOn();
  }
  expect((await client.call(isDown)).body.is_down).toBe(false);
});

test('while down every call answers 503 except those of the contract that stay open, the CSRF cookie, webhooks and real-time [ADM-DOWN-06]', async () => {
  const visitor = a.client();
  await visitor.get('/sanctum/csrf-cookie');
  await a.maintenance.shutDown({ startTime: new Date(Date.now() - 1000), endTime: null, text: null });
  try {
    for (const { method, path, openInMaintenance } of endpoints) {
      const url = path.replace(/:(\w+)/g, '999999');
      const { status } = method === 'GET' ? await visitor.get(url) : await visitor.mutate(method, url);
      expect([method, path, status === 503]).toEqual([method, path, !openInMaintenance]);
    }
    expect((await visitor.get('/sanctum/csrf-cookie')).status).toBe(204);
    expect((await visitor.send('POST', monobank.notificationPath, {})).status).not.toBe(503);
    const { client } = await a.signedIn();
    const { connectionString } = (await client.call(negotiate, { query: {} })).body;
    const browser = new WebPubSubClient({ getClientAccessUrl: async () => connectionString });
    await browser.start();
    browser.stop();
  } finally {
    await a.maintenance.turnOn();
  }
});

test('an event of node A reaches a browser connected to node B; its groups are the user’s own and the requested operation [API-37] [LIVE-14]', async () => {
  const { client, id } = await b.signedIn();
  const operation = await addOperation(b, id, 'ongoing');
  const station = await b.db.selectFrom('stations').select(['id', 'number']).executeTakeFirstOrThrow();
  const query = { operation: String(operation), station: station.number };
  const browser = new WebPubSubClient({
    getClientAccessUrl: async () => atNodeB((await client.call(negotiate, { query })).body.connectionString),
  });
  const received: unknown[] = [];
  browser.on('group-message', ({ message }) => received.push(message.data));
  await browser.start();
  await browser.joinGroup(`user-${id}`);
  await browser.joinGroup(`operation-${operation}`);
  await browser.joinGroup(`station-${station.id}`);
  await expect(browser.joinGroup(`user-${id + 1}`)).rejects.toThrow();
  await a.steps.run(async (step) => step.publish('operation', operation));
  await vi.waitFor(() => expect(received).toEqual([{ type: 'operation_update', operation }]));
  // A connector's new status reaches the page of its station.
  await a.steps.run(async (step) => step.publish('station', station.id));
  await vi.waitFor(() => expect(received.at(-1)).toEqual({ type: 'station_update', station: station.id }));
  expect((await client.call(negotiate, { query: { station: 'F0' } })).status).toBe(404);
  browser.stop();
});

test('staff who monitor operations join one group that names what changed in the network; other roles are refused [LIVE-14]', async () => {
  const support = await a.signedIn('Support');
  const browser = new WebPubSubClient({
    getClientAccessUrl: async () =>
      (await support.client.call(negotiate, { query: { staff: 'true' } })).body.connectionString,
  });
  const received: Record<string, unknown>[] = [];
  browser.on('group-message', ({ message }) => received.push(message.data as never));
  await browser.start();
  await browser.joinGroup(staffGroup);
  const driver = await a.addUser();
  const operation = await addOperation(a, driver.id, 'ongoing');
  await b.steps.run(async (step) => {
    step.publish('operation', operation);
    step.publish('staff-list', 'anomalies');
  });
  const named = () => received.flatMap(({ operations }) => String(operations ?? '').split(','));
  await vi.waitFor(() => expect(named()).toContain(String(operation)), { timeout: 10_000 });
  await vi.waitFor(() => expect(received).toContainEqual({ type: 'staff_list_changed', list: 'anomalies' }));
  for (const message of received) expect(StaffMessage.safeParse(message).data).toEqual(message);
  browser.stop();
  for (const role of roles.filter((one) => one !== 'Banned')) {
    const { client } = await a.signedIn(role);
    const isAllowed = can(role, 'access-admin-page') && can(role, 'monitor-operations');
    const { status } = await client.call(negotiate, { query: { staff: 'true' } });
    expect([role, status]).toEqual([role, isAllowed ? 200 : 403]);
  }
  // Without asking for it, staff are not in the group either.
  const plain = (await support.client.call(negotiate, { query: {} })).body.connectionString;
  const other = new WebPubSubClient({ getClientAccessUrl: async () => plain }, { autoReconnect: false });
  await other.start();
  await expect(other.joinGroup(staffGroup)).rejects.toThrow();
  other.stop();
});

test('another driver’s operation is not granted; staff who monitor operations get it [LIVE-14]', async () => {
  const driver = await a.signedIn();
  const operation = await addOperation(a, driver.id, 'ongoing');
  const ask = async (role: 'User' | 'Support') => {
    const { client } = await a.signedIn(role);
    return (await client.call(negotiate, { query: { operation: String(operation) } })).status;
  };
  expect([await ask('User'), await ask('Support')]).toEqual([404, 200]);
});

test('signing out closes the user’s sockets on every node [LIVE-14]', async () => {
  const { client } = await a.signedIn();
  const { body } = await client.call(negotiate, { query: {} });
  const socket = new WebSocket(atNodeB(body.connectionString), 'json.webpubsub.azure.v1');
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  await client.mutate('DELETE', '/api/logout');
  expect(await closed).toBe(1008);
});

test('the API document is generated from the contract and can be read in a browser', async () => {
  const { body } = await a.client().get('/api/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  expect(body.paths['/api/login'].post.requestBody.content['application/json'].schema.required).toContain('signature');
  const page = await fetch(`${a.url}/api/docs/`);
  expect([page.status, (await page.text()).includes('swagger-ui')]).toEqual([200, true]);
});

test('brand, domain, phone and links are configuration [SHELL-13]', async () => {
  const env = {
    BRAND: 'Заряд',
    DOMAIN: 'zaryad.example',
    SUPPORT_PHONE: '+380440000000',
    BOT_URL: 'https://t.me/zaryad_bot',
  };
  const more = {
    INSTRUCTION_URL: 'https://zaryad.example/how',
    LANDING_URL: 'https://zaryad.example/',
    INSTAGRAM_URL: 'https://instagram.com/zaryad',
  };
  const other = await startTestServer({ database: a.database, env: { ...env, ...more } });
  try {
    const { body } = await other.client().call(getSettings);
    expect(body).toMatchObject({
      brand: 'Заряд',
      domain: 'zaryad.example',
      support_phone: '+380440000000',
      bot_url: 'https://t.me/zaryad_bot',
      instruction_url: 'https://zaryad.example/how',
      landing_url: 'https://zaryad.example/',
    });
    expect(body.social).toContainEqual({ kind: 'instagram', url: 'https://instagram.com/zaryad' });
  } finally {
    await other.close();
  }
});

test('webhooks and charge points need no session, token or signature of ours, because they have credentials of their own [API-08]', async () => {
  const forged = await fetch(`${a.url}/webhooks/monobank`, {
    method: 'POST',
    body: '{"invoiceId":"x"}',
    headers: { 'x-sign': 'AAAA' },
  });
  // 403 for its own bad signature, not 419 for a missing token of ours.
  expect([forged.status, await forged.json()]).toEqual([403, {}]);
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const statusOf = (path: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const request = httpGet(`${a.url}${path}`, { headers: { ...upgrade, ...headers } }, (response) =>
        resolve(response.statusCode ?? 0),
      );
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve(101);
      });
      request.on('error', reject);
    });
  expect(await statusOf('/ocpp/UNKNOWN')).toBe(401);
  const registry = createChargePointRegistry({ ...a, secret: a.config.secret });
  const { password } = await registry.add({
    identity: 'CP-API-08',
    station: 'F4008',
    connectors: [readConnector('type2:22000')],
  });
  const basic = (key: Buffer) => ({
    authorization: `Basic ${Buffer.concat([Buffer.from('CP-API-08:'), key]).toString('base64')}`,
    'sec-websocket-protocol': 'ocpp1.6',
  });
  expect(await statusOf('/ocpp/CP-API-08', basic(Buffer.from('wrong')))).toBe(401);
  expect(await statusOf('/ocpp/CP-API-08', basic(Buffer.from(password, 'hex')))).toBe(101);
});

test('the server answers 503 quickly without its database and recovers by itself', async () => {
  const database = await testDatabase();
  const proxy = await startProxy(database.appUrl);
  const server = await startTestServer({ database: { ...database, appUrl: proxy.url } });
  try {
    const { client } = await server.signedIn();
    proxy.cut();
    const startedAt = Date.now();
    const [ready, call] = await Promise.all([client.get('/readyz'), client.call(getUser)]);
    expect([ready.status, call.status, call.body.message]).toEqual([503, 503, 'Service Unavailable']);
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    expect((await client.get('/healthz')).status).toBe(200);
    proxy.repair();
    await vi.waitFor(async () => expect((await client.call(getUser)).status).toBe(200), { timeout: 5_000 });
    expect((await client.get('/readyz')).status).toBe(200);
  } finally {
    await server.close();
    proxy.close();
    await database.drop();
  }
});

test('stopping finishes the requests in flight and accepts no new ones', async () => {
  const server = await startTestServer();
  const user = await server.addUser();
  // A lock on the user's row makes each sign-in wait in the middle of its work.
  const holder = new pg.Client({ connectionString: server.database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from users where id = $1 for update', [user.id]);
  const body = { phone_number: user.phone, password: user.password };
  const calls = [1, 2, 3].map(() => server.client().call(signIn, { body }));
  const waiting = 'select count(*)::int as n from pg_locks where not granted and pid != pg_backend_pid()';
  await vi.waitFor(async () => expect((await holder.query(waiting)).rows[0].n).toBe(3), { timeout: 5_000 });

  const stopped = server.close();
  await holder.query('commit');
  expect((await Promise.all(calls)).map((answer) => answer.status)).toEqual([200, 200, 200]);
  await holder.end();
  await stopped;
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});

test('logs identify each request by id and never contain a password, token, code or query string', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'info', redact: redaction }, sink);
  const app = await createApp({ config: { ...a.config, port: 0 }, databaseUrl: a.database.appUrl, log });
  const started = await app.start();
  const client = createTestClient(`http://127.0.0.1:${started.port}`);
  const user = await a.addUser();
  const signedIn = await client.call(signIn, { body: { phone_number: user.phone, password: user.password } });
  expect(signedIn.status).toBe(200);
  await client.get('/api/negotiate?access_token=very-secret');
  log.info(
    { password: 'very-secret', user: { token: 'very-secret' }, body: { card: { code: 'very-secret' } } },
    'careless',
  );
  await app.stop();
  const text = lines.join('');
  expect(text).toContain(signedIn.headers.get('x-request-id'));
  for (const secret of [
    user.password,
    'very-secret',
    client.jar.get('fpay_session') ?? '-',
    client.jar.get('XSRF-TOKEN') ?? '-',
  ]) {
    expect(text).not.toContain(secret);
  }
});
