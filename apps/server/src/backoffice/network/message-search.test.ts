import { chargePointView, deviceMessages, registerChargePoint } from '@fpay/contract/admin/network/charge-points';
import { commandDevice } from '@fpay/contract/admin/network/device-commands';
import { sql } from 'kysely';
import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFrameBuffer } from '../../ocpp/connections/frame-buffer.ts';
import { connectClient } from '../../ocpp/testing/client.ts';
import { answerCalls, eventually } from '../../ocpp/testing/gateway.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let boss: Awaited<ReturnType<TestServer['signedIn']>>;
const clients: RPCClient[] = [];
beforeAll(async () => {
  server = await startTestServer();
  boss = await server.signedIn('SuperAdmin');
});
afterAll(async () => {
  for (const client of clients) await client.close({ force: true } as never).catch(() => {});
  await server.close();
});

let identities = 0;
async function register() {
  identities += 1;
  const { body } = await boss.client.call(registerChargePoint, { body: { identity: `FP-LOG-${identities}` } });
  return body;
}

async function connect(identity: string, password: string): Promise<RPCClient> {
  const client = await connectClient({ port: server.port, identity, password });
  clients.push(client);
  return client;
}

const boot = (client: RPCClient) =>
  client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1.14.2' });
const detail = async (id: number) => (await boss.client.call(chargePointView, { params: { id: String(id) } })).body;
const messagesOf = async (id: number, query: object = {}) =>
  (await boss.client.call(deviceMessages, { params: { id: String(id) }, query })).body;
/** All messages, read from one part to the next. */
async function allMessagesOf(id: number) {
  const parts = [await messagesOf(id)];
  for (let next = parts[0]?.next ?? null; next !== null; next = parts.at(-1)?.next ?? null) {
    parts.push(await messagesOf(id, { before: next }));
  }
  return parts;
}

test('the log of messages has both directions with the answers, is searched, and counts the boots of the week', async () => {
  const added = await register();
  const client = await connect(added.identity, added.password);
  answerCalls(client, () => ({ status: 'Accepted' }));
  await boot(client);
  await client.call('Heartbeat', {});
  await eventually(async () => (await messagesOf(added.id, { direction: 'to' })).messages.length > 0);
  await eventually(async () => (await messagesOf(added.id, { q: 'heartbeat' })).messages.length > 0);
  const { messages, next } = await messagesOf(added.id, { q: '1.14.2' });
  expect(messages).toMatchObject([
    {
      from: 'device',
      action: 'BootNotification',
      answer_ms: expect.any(Number),
      call: expect.stringMatching(/^\[2,/),
    },
  ]);
  expect(JSON.parse(messages[0]?.answer ?? '')[2]).toMatchObject({ status: 'Accepted' });
  expect(next).toBeNull();
  expect((await messagesOf(added.id, { q: 'no such text' })).messages).toEqual([]);
  expect(await detail(added.id)).toMatchObject({ boots: 1, last_message_at: expect.any(String) });
});

test('the log of messages has the right answer for each call when several are open at once', async () => {
  const added = await register();
  const client = await connect(added.identity, added.password);
  await boot(client);
  const vendors = ['A', 'B', 'C'];
  await Promise.all(vendors.map((vendorId) => client.call('DataTransfer', { vendorId })));
  await eventually(async () => (await messagesOf(added.id, { q: 'DataTransfer' })).messages.length === 3);
  const { messages } = await messagesOf(added.id, { q: 'DataTransfer' });
  for (const { call, answer } of messages) expect(JSON.parse(answer ?? '[]')[1]).toBe(JSON.parse(call)[1]);
  expect(messages.map(({ call }) => JSON.parse(call)[3].vendorId).toSorted()).toEqual(vendors);
});

test('a log of lines, as older versions wrote it, is read page by page, and ends after seven days', async () => {
  const { id } = await register();
  const line = (ms: number, n: number) => `${ms}\td\t4\tHeartbeat\t[2,"${n}","Heartbeat",{}]\t[3,"${n}",{}]`;
  const now = Date.now();
  for (let n = 0; n < 5; n += 1) {
    const at = now - n * 1_000;
    const lines = Array.from({ length: 30 }, (_, m) => line(at, 100 * n + m)).join('\n');
    await sql`insert into message_pages (charge_point_id, began_at, ended_at, lines)
      values (${id}, ${new Date(at)}, ${new Date(at)}, ${lines})`.execute(server.db);
  }
  const old = new Date(now - 7.1 * 24 * 3_600_000);
  await sql`insert into message_pages (charge_point_id, began_at, ended_at, lines)
    values (${id}, ${old}, ${old}, ${line(old.getTime(), 9_999)})`.execute(server.db);
  const seen = (await allMessagesOf(id)).flatMap(({ messages }) => messages.map(({ call }) => call));
  expect(seen).toHaveLength(150);
  expect(new Set(seen).size).toBe(150);
  expect(seen[0]).toBe('[2,"29","Heartbeat",{}]');
});

test('a call whose answer is in a later page has it, also when the two are read one after the other', async () => {
  const { id } = await register();
  const now = Date.now() - 60_000;
  const store = async (ms: number, frames: readonly ['in' | 'out', string][]) => {
    const buffer = createFrameBuffer();
    for (const [direction, text] of frames) {
      if (direction === 'in') buffer.addBytes(id, ms, Buffer.from(text));
      else buffer.addText(id, ms, text);
    }
    for (const { began, ended, frames: block } of buffer.take()) {
      await sql`insert into message_pages (charge_point_id, began_at, ended_at, frames)
        values (${id}, ${new Date(began)}, ${new Date(ended)}, ${block})`.execute(server.db);
    }
  };
  // Each page answers the last call of the page before.
  const frames = (n: number): ['in' | 'out', string][] => [
    ['out', `[3,"${n - 1}-29",{"page":${n}}]`],
    ...Array.from({ length: 30 }, (_, m): ['in' | 'out', string][] => [
      ['in', `[2,"${n}-${m}","Heartbeat",{}]`],
      ...(m < 29 ? [['out', `[3,"${n}-${m}",{}]`] as ['out', string]] : []),
    ]).flat(),
  ];
  for (let n = 0; n < 6; n += 1) await store(now + n * 1_000, frames(n));
  const parts = await allMessagesOf(id);
  expect(parts.length).toBeGreaterThan(2);
  const seen = parts.flatMap(({ messages }) => messages);
  const stray = seen.filter(({ call }) => !call.startsWith('[2'));
  expect(stray.map(({ call }) => call)).toEqual(['[3,"-1-29",{"page":0}]']);
  const calls = seen.filter(({ call }) => call.startsWith('[2'));
  expect(new Set(calls.map(({ call }) => call)).size).toBe(180);
  expect(calls.filter(({ answer }) => answer === null).map(({ call }) => call)).toEqual(['[2,"5-29","Heartbeat",{}]']);
  for (const { call, answer } of calls) if (answer) expect(JSON.parse(answer)[1]).toBe(JSON.parse(call)[1]);
});

test('the log of messages has no password of a device, also where the device lists it', async () => {
  const added = await register();
  const client = await connect(added.identity, added.password);
  const listed = { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'secret-of-device' }] };
  answerCalls(client, (method) => (method === 'GetConfiguration' ? listed : { status: 'Accepted' }));
  await boot(client);
  await boss.client.call(commandDevice, { params: { id: String(added.id) }, body: { action: 'GetConfiguration' } });
  await eventually(async () => (await messagesOf(added.id, { q: '***' })).messages.length > 0);
  expect((await messagesOf(added.id, { q: 'secret-of-device' })).messages).toEqual([]);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from message_pages
    where position('secret-of-device'::bytea in frames) > 0`.execute(server.db);
  expect(rows[0]?.count).toBe(0);
});

test('days of the log past their retention are dropped, and the next ones exist', async () => {
  const { rows } = await sql<{ made: number }>`select ensure_message_days() as made`.execute(server.db);
  expect(rows[0]?.made).toBe(0);
  await sql`select ensure_message_day((now() - interval '9 days')::date)`.execute(server.db);
  await server.features.ocpp.retention.nightly();
  const days = await sql<{
    name: string;
  }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'message_pages'::regclass and c.relname like '%d__'`.execute(server.db);
  expect(days.rows).toHaveLength(9);
});
