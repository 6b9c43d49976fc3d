import { signOut } from '@fpay/contract/account';
import type { Language } from '@fpay/contract/person';
import { getNoticeChannels, pushKey, setNoticeChannels, subscribePush, unsubscribePush } from '@fpay/contract/push';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountServer, startAccountServer } from '../../account/testing/accounts.ts';
import { addOperation } from '../../testing/operation.ts';

let server: AccountServer;
let listening: { stop(): Promise<void> };
beforeAll(async () => {
  server = await startAccountServer({ isWorker: true });
  listening = server.messages.start(server.outbox);
});
afterAll(async () => {
  await listening.stop();
  await server.close();
});

interface Received {
  message: { web_push: number; notification: { title: string; body: string; navigate: string; lang: string } };
  ttl: number;
  urgency: string;
}

const post = async (path: string, body: object = {}) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.sandboxUrl}/push${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return response.json();
};

/** A browser of the sandbox's push service that belongs to a new driver. */
async function subscribed(language: Language = 'pl') {
  const driver = await server.signedIn();
  await server.db.updateTable('users').set({ language }).where('id', '=', driver.id).execute();
  const { endpoint, keys } = (await post('/subscriptions')) as {
    endpoint: string;
    keys: { p256dh: string; auth: string };
  };
  const browser = endpoint.split('/').at(-1);
  const answer = await driver.call(subscribePush, { body: { endpoint, keys } });
  expect(answer.status).toBeLessThan(300);
  const received = async () => {
    const reply = await fetch(`${server.sandboxUrl}/push/subscriptions/${browser}/messages`);
    return ((await reply.json()) as { messages: Received[] }).messages;
  };
  const refuseWith = (status: number) => post(`/subscriptions/${browser}/fault`, { status });
  return { ...driver, endpoint, keys, received, refuseWith };
}

const move = (operation: number, changes: object) =>
  server.steps.run(async (step) => {
    await step.db.updateTable('operations').set(changes).where('id', '=', operation).execute();
    step.publish('operation', operation);
  });
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 100 });
const rowsOf = (user: number) =>
  server.db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', user).execute();

test('a charge notifies the driver’s browser when it starts, is nearly done and ends, once each and in their language', async () => {
  const driver = await subscribed();
  const operation = await addOperation(server, driver.id, 'starting');
  await move(operation, { status: 'ongoing' });
  const titles = async () => (await driver.received()).map(({ message }) => message.notification.title);
  await eventually(async () => expect(await titles()).toEqual(['Ładowanie rozpoczęte']));
  // Soon after its start a charge is not nearly done, however little was paid for.
  const nearly = { energy_wh: 19_000, energy_limit_wh: 20_000, power_w: 60_000 };
  await move(operation, { ...nearly, started_at: new Date(server.clock.now().getTime() - 4 * 60_000) });
  const second = await addOperation(server, driver.id, 'starting');
  await move(second, { status: 'ongoing' });
  await eventually(async () => expect(await titles()).toEqual(['Ładowanie rozpoczęte', 'Ładowanie rozpoczęte']));
  await move(operation, { started_at: new Date(server.clock.now().getTime() - 6 * 60_000) });
  await move(operation, { energy_wh: 19_500 });
  await eventually(async () => expect((await titles()).slice(2)).toEqual(['Ładowanie prawie gotowe']));
  expect((await driver.received()).at(-1)?.message.notification.body).toMatch(/: już 19,\d0 kWh, jeszcze ≈ 1\s?min\./);
  await move(operation, { status: 'finished', energy_wh: 20_000, total: 290_00 });
  await eventually(async () => expect((await titles()).slice(3)).toEqual(['Ładowanie zakończone']));
  const last = (await driver.received()).at(-1);
  expect(last).toMatchObject({
    ttl: 3600,
    urgency: 'high',
    message: { web_push: 8030, notification: { lang: 'pl', navigate: expect.stringMatching(`/status/${operation}$`) } },
  });
  expect(last?.message.notification.body).toContain('20,00 kWh, 290,00 ₴');
});

test('the key is the same for every call, and the private one is encrypted', async () => {
  const { call } = await server.signedIn();
  const keys = [(await call(pushKey)).body.key, (await call(pushKey)).body.key];
  expect(keys[0]).toMatch(/^[\w-]{87}$/);
  expect(new Set(keys).size).toBe(1);
});

test('an address is stored once and encrypted; only known push services are accepted', async () => {
  const driver = await subscribed();
  const { endpoint, keys, call } = driver;
  await call(subscribePush, { body: { endpoint, keys } });
  const [row, ...more] = await rowsOf(driver.id);
  expect([more, row?.subscription.includes(endpoint)]).toEqual([[], false]);
  for (const bad of [
    'https://evil.example/x',
    'http://push.example/x',
    'https://push.example.evil.example/',
    'x',
    'https://push.example:8443/x',
    // The demo's push service is a part of the sandbox, which also plays the bank.
    new URL('/bank/invoices/x/pay', endpoint).href,
    new URL('/push/send/../subscriptions', endpoint).href,
  ]) {
    expect([bad, (await call(subscribePush, { body: { endpoint: bad, keys } })).status]).toEqual([bad, 422]);
  }
  expect((await call(subscribePush, { body: { endpoint: 'https://a.push.example/x', keys } })).status).toBeLessThan(
    300,
  );
});

test.each([404, 410])('a browser that the push service answers with %i is forgotten', async (status) => {
  const driver = await subscribed();
  await driver.refuseWith(status);
  const operation = await addOperation(server, driver.id, 'starting');
  await move(operation, { status: 'failed' });
  await eventually(async () => expect(await rowsOf(driver.id)).toEqual([]));
});

test('a browser gets nothing after sign-out, nor after it was withdrawn', async () => {
  const driver = await subscribed();
  await driver.call(signOut);
  expect(await rowsOf(driver.id)).toEqual([]);
  const other = await subscribed();
  await other.call(unsubscribePush, { body: { endpoint: other.endpoint } });
  expect(await rowsOf(other.id)).toEqual([]);
});

test('another user who signs in at the same browser takes its notifications over', async () => {
  const [first, second] = [await subscribed(), await subscribed()];
  await second.call(subscribePush, { body: { endpoint: first.endpoint, keys: first.keys } });
  expect([(await rowsOf(first.id)).length, (await rowsOf(second.id)).length]).toEqual([0, 2]);
});

test('a user chooses the channels; an SMS is sent only when nothing else reaches them', async () => {
  const driver = await subscribed('en');
  expect((await driver.call(getNoticeChannels)).body).toEqual({ push: true, telegram: true, sms: false });
  const set = await driver.call(setNoticeChannels, { body: { push: false, sms: true } });
  expect(set.body).toEqual({ push: false, telegram: true, sms: true });
  const operation = await addOperation(server, driver.id, 'starting');
  const { phone_number: phone } = await server.db
    .selectFrom('users')
    .select('phone_number')
    .where('id', '=', driver.id)
    .executeTakeFirstOrThrow();
  await move(operation, { status: 'failed' });
  const said = /^FPay: Charging did not start\. Station .* If money was held, it is on its way back\.$/;
  await eventually(async () => expect(await server.sms(phone)).toEqual([expect.stringMatching(said)]));
  expect(await driver.received()).toEqual([]);
});
