import { createHmac } from 'node:crypto';
import type { WebhookKind } from '@fpay/contract/admin/integrations/webhooks';
import { webhookKinds } from '@fpay/contract/admin/integrations/webhooks';
import type { OperationStatus } from '@fpay/contract/charging';
import type { Role } from '@fpay/contract/roles';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSystemFindings } from '../../backoffice/watch/system.ts';
import { createOperationStore, type OperationStore } from '../../charging/store.ts';
import { usualProvider } from '../../payments/bank-terms.ts';
import { createPaymentStore } from '../../payments/store.ts';
import { createAudit } from '../../platform/audit.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import { callOutside, type OutsideCall } from '../../platform/outside/outside-call.ts';
import { createSecretBox } from '../../platform/outside/secret-box.ts';
import { openPlatform } from '../../platform/platform.ts';
import type { Step } from '../../platform/step.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { addOperation } from '../../testing/operation.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { createWebhookDelivery } from './delivery.ts';
import { createWebhookRecorder, type WebhookRecorder } from './events.ts';
import { createWebhookStaff, type WebhookStaff } from './staff.ts';

const secret = 'a-secret-of-the-server-for-this-test';
const box = createSecretBox(secret, 'webhook secrets');
const hourMs = 3_600_000;
let now = Date.now();
const clock = { now: () => new Date(now) };
let database: TestDatabase;
let opened: ReturnType<typeof openPlatform>;
let staff: WebhookStaff;
let events: WebhookRecorder;
let operations: OperationStore;
const woken: string[] = [];
let actor: { staff: number; apiKey: null };
let receiver: Receiver;
const db = () => opened.platform.db;

let users = 0;
async function addUser(role: Role): Promise<number> {
  users += 1;
  const { id } = await db()
    .insertInto('users')
    .values({ name: role, role, phone_number: `+38067${String(users).padStart(7, '0')}`, created_at: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

beforeAll(async () => {
  database = await testDatabase();
  opened = openPlatform({ databaseUrl: database.appUrl, log: pino({ level: 'silent' }), clock });
  const { steps } = opened.platform;
  const policy = { allowsInner: true };
  const dueWork = { wake: (kind: string) => void woken.push(kind) };
  staff = createWebhookStaff({ db: db(), steps, clock, audit: createAudit(clock), box, policy, dueWork });
  events = createWebhookRecorder({ clock, dueWork, checksData: true });
  operations = createOperationStore({ db: db(), clock, events });
  actor = { staff: await addUser('Admin'), apiKey: null };
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const { id } of await staff.list()) await staff.remove(actor, id);
  await receiver.close();
});

type Send = (call: OutsideCall) => Promise<{ status: number }>;
const really: Send = (call) => callOutside(call, { allowsInner: true });
const nodeOf = (send: Send = really, timeoutMs = 5_000) =>
  createWebhookDelivery({ db: db(), steps: opened.platform.steps, clock, box, send, timeoutMs });

/** Claims what is due, as due work does, and runs it; with `isDead` the node dies before it begins. */
async function runDue(
  node: Extract<DueKind, { name: 'webhook-delivery' }> = nodeOf(),
  isDead = false,
): Promise<number> {
  const { rows } = await sql<{ id: number; due_claim: number }>`
    update webhook_deliveries set next_action_at = ${new Date(now + 25_000)}, due_claim = due_claim + 1
    where next_action_at <= ${clock.now()} returning id, due_claim`.execute(db());
  if ('run' in node && !isDead) await Promise.allSettled(rows.map(({ id, due_claim }) => node.run(id, due_claim)));
  return rows.length;
}

const add = (kinds: readonly WebhookKind[] = webhookKinds, url = receiver.url) =>
  staff.add(actor, { name: 'Accounting', url, kinds: [...kinds] });
const logOf = async (id: number) => staff.deliveries(id, { limit: 50 });
const enter = async (step: Step, id: number, status: OperationStatus) => {
  const operation = await operations.lock(step, id);
  if (!operation) throw new Error(`no operation ${id}`);
  await operations.enter(step, operation, status, { status_at: clock.now() });
};
const setStatus = (id: number, status: OperationStatus) => opened.platform.steps.run((step) => enter(step, id, status));
/** Each by another driver, because a driver has one unpaid operation at most. */
async function open(status: 'created' | 'ongoing' = 'created'): Promise<number> {
  const driver = await addUser('User');
  const operation = await addOperation({ db: db() }, driver, status);
  const change = { operations: [operation], before: null, status, at: clock.now() };
  await opened.platform.steps.run((step) => events.operationsChanged(step, change));
  now = Math.max(now, Date.now()) + 1_000;
  return operation;
}

test('every event of a charge is sent once, in a body that its receiver can verify', async () => {
  const { secret: shown } = await add();
  const operation = await open();
  const statuses = ['pending', 'starting', 'ongoing', 'finishing', 'pending_final_payment', 'finished'] as const;
  for (const status of statuses) {
    await setStatus(operation, status);
  }
  now += 1_000;
  await runDue();
  expect(receiver.kindsOf().toSorted()).toEqual(
    ['operation.finished', 'operation.opened', 'operation.settled', 'operation.started'].toSorted(),
  );
  expect(new Set(receiver.idsOf()).size).toBe(4);
  for (const { headers, body } of receiver.received) {
    const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['fpay-signature'])) ?? [];
    expect(mac).toBe(createHmac('sha256', shown).update(`${time}.${body}`).digest('hex'));
    expect(Number(time)).toBe(Math.floor(now / 1000));
    expect(headers['fpay-event-id']).toBe(JSON.parse(body).id);
    expect(JSON.parse(body).data.operation).toMatchObject({ id: operation, station: expect.stringMatching(/^F/) });
    // Nothing about the driver.
    expect(Object.keys(JSON.parse(body).data.operation)).not.toContain('user_id');
  }
  expect(await runDue()).toBe(0);
});

test('a charge that never started is one failed event', async () => {
  await add();
  const operation = await open();
  await setStatus(operation, 'canceled');
  now += 1_000;
  await runDue();
  expect(receiver.kindsOf().toSorted()).toEqual(['operation.failed', 'operation.opened']);
});

test('each refund is an event with its amount', async () => {
  await add(['operation.refunded']);
  const operation = await open();
  const payment = await db()
    .insertInto('payments')
    .values({
      purpose: 'operation',
      method: 'bank',
      operation_id: operation,
      user_id: actor.staff,
      amount: 300_00,
      status: 'success',
      captured: 100_00,
      description: 'Charge',
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const payments = createPaymentStore({ db: db(), provider: usualProvider, clock, operations, events });
  for (const refunded of [30_00, 30_00, 50_00]) {
    await opened.platform.steps.run((step) => payments.change(step, payment.id, { refunded }));
  }
  now = Math.max(now, Date.now()) + 1_000;
  await runDue();
  expect(
    receiver.received.map(({ body }) => JSON.parse(body).data.refund).toSorted((a, b) => b.amount - a.amount),
  ).toEqual([
    { amount: 30_00, refunded_total: 30_00 },
    { amount: 20_00, refunded_total: 50_00 },
  ]);
});

test('an event exists only with its change: a step that is undone leaves none', async () => {
  const { id } = await add();
  const operation = await open();
  await runDue();
  const undone = opened.platform.steps.run(async (step) => {
    await enter(step, operation, 'ongoing');
    throw new Error('the process dies');
  });
  await expect(undone).rejects.toThrow('the process dies');
  expect((await logOf(id)).map(({ kind }) => kind)).toEqual(['operation.opened']);
});

test('only chosen kinds are sent, and nothing is stored while there is no endpoint', async () => {
  const eventsOf = (operation: number) =>
    db().selectFrom('webhook_events').select('kind').where('operation_id', '=', operation).execute();
  expect(await eventsOf(await open('ongoing'))).toEqual([]);
  await add(['operation.started']);
  expect(await eventsOf(await open('ongoing'))).toEqual([{ kind: 'operation.started' }]);
});

test('an event that is stored is sent at once and does not wait for the next poll; a paused endpoint wakes nothing', async () => {
  const { id } = await add(['operation.opened']);
  woken.length = 0;
  await open();
  expect(woken).toEqual(['webhook-delivery']);
  await staff.pause(actor, id);
  woken.length = 0;
  await open();
  expect(woken).toEqual([]);
  expect(await logOf(id)).toHaveLength(2);
});

test('a node that dies before it sends loses nothing: the event is sent when its lease has run out', async () => {
  await add(['operation.opened']);
  await open();
  now += 1;
  expect(await runDue(nodeOf(), true)).toBe(1);
  expect(await runDue()).toBe(0);
  now += 25_001;
  await runDue();
  expect(receiver.received).toHaveLength(1);
});

test('a node that dies after it has sent sends the event again with the same id', async () => {
  const { id } = await add(['operation.opened']);
  await open();
  now += 1;
  const dying = nodeOf(async (call) => {
    await really(call);
    throw new Error('the process dies');
  });
  await runDue(dying);
  expect((await logOf(id))[0]).toMatchObject({ status: 'pending', attempts: 0 });
  now += 25_001;
  await runDue();
  const [first, second] = receiver.idsOf();
  expect([receiver.received.length, first === second]).toEqual([2, true]);
  expect((await logOf(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a node whose lease ran out while it waited does not change the outcome of the later one', async () => {
  const { id } = await add(['operation.opened']);
  await open();
  now += 1;
  let letGo = () => {};
  const waits = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isAsked = false;
  const slow = runDue(
    nodeOf(() => {
      isAsked = true;
      return waits.then(() => ({ status: 500 }));
    }),
  );
  // The slow node has claimed the row and waits for the receiver before the lease is over.
  await expect.poll(() => isAsked).toBe(true);
  expect((await logOf(id))[0]?.next_at).toBe(new Date(now + 25_000).toISOString());
  now += 25_001;
  await runDue();
  letGo();
  await slow;
  expect((await logOf(id))[0]).toMatchObject({ status: 'delivered', next_at: null, attempts: 2 });
});

test('a receiver that answers 500 is tried with growing pauses for three days, then the event is given up', async () => {
  const { id } = await add(['operation.opened']);
  receiver.answers((response) => void response.writeHead(500).end());
  await open();
  const started = now;
  const pauses: number[] = [];
  for (;;) {
    const [delivery] = await logOf(id);
    if (!delivery || delivery.next_at === null) break;
    const next = Date.parse(delivery.next_at);
    pauses.push(next - now);
    now = next;
    await runDue();
  }
  expect((await logOf(id))[0]).toMatchObject({ status: 'failed', attempts: pauses.length });
  expect(pauses.slice(1)).toEqual(pauses.slice(1).toSorted((a, b) => a - b));
  expect(pauses[1]).toBe(10_000);
  expect((now - started) / hourMs).toBeGreaterThan(60);
  expect((now - started) / hourMs).toBeLessThanOrEqual(72);
  expect((await staff.list())[0]).toMatchObject({ failed: 1, pending: 0 });
});

test('a slow receiver times out, and its log says so', async () => {
  const { id } = await add(['operation.opened']);
  receiver.answers(() => {});
  await open();
  now += 1;
  await runDue(nodeOf(really, 100));
  expect((await logOf(id))[0]?.log).toEqual([
    { at: new Date(now).toISOString(), took_ms: expect.any(Number), http_status: null, error: 'timeout' },
  ]);
});

test('a redirect is not followed and counts as a failure', async () => {
  const target = await startReceiver();
  const { id } = await add(['operation.opened']);
  receiver.answers((response) => void response.writeHead(302, { location: target.url }).end());
  await open();
  now += 1;
  await runDue();
  expect([(await logOf(id))[0]?.log[0]?.http_status, target.received.length]).toEqual([302, 0]);
  await target.close();
});

test('an endless answer is not read: its status decides', async () => {
  const { id } = await add(['operation.opened']);
  let written = 0;
  receiver.answers((response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && written < 2 ** 30) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    more();
  });
  await open();
  now += 1;
  await runDue();
  expect((await logOf(id))[0]?.status).toBe('delivered');
  expect(written).toBeLessThan(2 ** 26);
});

test('an endpoint that hangs does not keep events from another one', async () => {
  const good = await startReceiver();
  await add(['operation.opened']);
  await add(['operation.opened'], good.url);
  receiver.answers(() => {});
  for (let count = 0; count < 12; count += 1) await open();
  now += 1;
  const node = nodeOf(really, 1_500);
  const first = runDue(node);
  await expect.poll(() => good.received.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(4);
  // The one that hangs was asked by four workers at once, not by all.
  expect(receiver.received.length).toBeLessThanOrEqual(4);
  // What did not fit at once was put off by a second and is not lost. On a busy machine the good endpoint may answer too
  // late; its next attempt is minutes later.
  for (let round = 0; round < 20 && good.received.length < 12; round += 1) {
    now += round < 10 ? 1_001 : hourMs;
    await runDue(node);
  }
  await first;
  expect(new Set(good.idsOf()).size).toBe(12);
  await good.close();
});

test('after 20 failures in an hour an endpoint is paused for staff to see, and resumed it gets what it missed', async () => {
  const { id } = await add(['operation.opened']);
  receiver.answers((response) => void response.writeHead(503).end());
  const node = nodeOf();
  for (let count = 0; count < 25; count += 1) await open();
  for (let round = 0; round < 12; round += 1) {
    now += 1_001;
    await runDue(node);
  }
  // Many failures at once are one outage, which may end soon.
  expect((await staff.list())[0]).toMatchObject({ state: 'active' });
  now += hourMs;
  await runDue(node);
  expect((await staff.list())[0]).toMatchObject({ state: 'paused_by_failures', pending: 25 });
  expect(await createSystemFindings(db())()).toMatchObject([{ kind: 'webhook', subject: 'Accounting' }]);
  now += hourMs;
  // What was put off in the moment of the pause is due once more and not sent.
  const sentBefore = receiver.received.length;
  await runDue(node);
  expect([await runDue(node), receiver.received.length]).toEqual([0, sentBefore]);
  await open();
  const before = receiver.received.length;
  receiver.answers((response) => void response.writeHead(200).end());
  await staff.resume(actor, id);
  for (let round = 0; round < 10; round += 1) {
    await runDue(node);
    now += 1_001;
  }
  expect(new Set(receiver.idsOf().slice(before)).size).toBe(26);
  expect((await staff.list())[0]).toMatchObject({ state: 'active', pending: 0, failures: 0 });
  expect(await createSystemFindings(db())()).toEqual([]);
});

test('staff send an event again: same id, another attempt in the log', async () => {
  const { id } = await add(['operation.opened']);
  await open();
  now += 1;
  await runDue();
  const [delivery] = await logOf(id);
  await staff.redeliver(actor, delivery?.id ?? 0);
  await runDue();
  expect(new Set(receiver.idsOf()).size).toBe(1);
  expect((await logOf(id))[0]).toMatchObject({ status: 'delivered', attempts: 2, log: [{}, {}] });
});

test('a paused endpoint gets nothing, and its deliveries are not sent again by hand', async () => {
  const { id } = await add(['operation.opened']);
  await open();
  await staff.pause(actor, id);
  now += 1;
  expect(await runDue()).toBe(0);
  const [delivery] = await logOf(id);
  await expect(staff.redeliver(actor, delivery?.id ?? 0)).rejects.toThrow(/present state/);
  await expect(staff.pause(actor, id)).rejects.toThrow(/present state/);
});

test('a removed endpoint gets nothing more, also what was claimed already', async () => {
  const { id } = await add(['operation.opened']);
  await open();
  now += 1;
  await runDue(nodeOf(), true);
  await staff.remove(actor, id);
  now += 25_001;
  await runDue();
  await open();
  await runDue();
  expect(receiver.received).toEqual([]);
});

test('a renewed secret signs what is sent from then on, and is encrypted in the database', async () => {
  const { id } = await add(['operation.opened']);
  await open();
  const { secret: renewed } = await staff.renewSecret(actor, id);
  now += 1;
  await runDue();
  const [first] = receiver.received;
  const signature = String(first?.headers['fpay-signature']);
  const time = /t=(\d+)/.exec(signature)?.[1];
  expect(signature).toContain(createHmac('sha256', renewed).update(`${time}.${first?.body}`).digest('hex'));
  const { rows } = await sql<{ found: boolean }>`
    select position(${Buffer.from(renewed)}::bytea in secret) > 0 as found from webhook_endpoints where id = ${id}`.execute(
    db(),
  );
  expect(rows).toEqual([{ found: false }]);
});

test('every change of an endpoint is in the audit, with the key that made it', async () => {
  const { id } = await staff.add(
    { ...actor, apiKey: 7 },
    { name: 'A', url: receiver.url, kinds: ['operation.failed'] },
  );
  await staff.change(actor, id, { name: 'B', url: receiver.url, kinds: ['operation.failed'] });
  await staff.test(actor, id);
  await staff.pause(actor, id);
  await staff.resume(actor, id);
  const records = await db()
    .selectFrom('audit')
    .select(['action', 'after'])
    .where('subject_kind', '=', 'webhook')
    .where('subject_id', '=', String(id))
    .orderBy('id')
    .execute();
  expect(records.map(({ action }) => action)).toEqual(
    ['add', 'change', 'test', 'pause', 'resume'].map((action) => `webhook.${action}`),
  );
  expect(records[0]?.after).toMatchObject({ api_key: 7 });
});
