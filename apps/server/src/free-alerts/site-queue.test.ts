import { getUser, signIn, signInAsGuest } from '@fpay/contract/account';
import { addSite, changeSite, siteView } from '@fpay/contract/admin/network/sites';
import { shutDown, turnOn } from '@fpay/contract/admin/shutdown';
import { removeFreeAlert } from '@fpay/contract/free-alerts';
import { deleteAccount } from '@fpay/contract/profile';
import { setNoticeChannels } from '@fpay/contract/push';
import { joinSiteQueue, siteQueueAt } from '@fpay/contract/site-queue';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { type Stack, startStack } from '../testing/stack.ts';
import { lookAgainMs } from './rules.ts';

// Each test waits for several commands of devices and for the plans of its site.
vi.setConfig({ testTimeout: 90_000 });

let passed = 0;
const clock = { now: () => new Date(Date.now() + passed) };
let stack: Stack;
let other: TestServer;
let boss: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  // The scripted devices are silent while the clock jumps, and would be offline after it.
  const timings = { offlineAfterMs: 24 * 60 * 60_000 };
  stack = await startStack({ clock, timings });
  other = await startTestServer({ database: stack.database, clock, timings });
  boss = await stack.signedIn('SuperAdmin');
}, 60_000);
afterAll(async () => {
  await other.close();
  await stack.close();
});

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 100 });
type Station = Awaited<ReturnType<Stack['addScripted']>>;

async function addSiteOf(stations: readonly Station[], more: object = {}) {
  const numbers = stations.map(({ number }) => number);
  const settings = { name: 'Майданчик', limit: 70_000, reserve: 0, has_queue: true, stations: numbers, ...more };
  const { body } = await boss.client.call(addSite, { body: settings });
  const params = { id: String(body.id) };
  return {
    id: body.id,
    change: (changed: object) => boss.client.call(changeSite, { params, body: { ...settings, ...changed } }),
    queue: async () => (await boss.client.call(siteView, { params })).body.queue,
  };
}

/** A site with power for one charge, which goes on, and free stations beside it. */
async function fullSite(count: number, more: object = {}) {
  const charge = await stack.startCharge('150');
  const free = await Promise.all(Array.from({ length: count }, () => stack.addScripted()));
  return { charge, free, site: await addSiteOf([charge, ...free], more) };
}

const reachable = (user: number) =>
  sql`update users set telegram_id = ${user + 700_000_000} where id = ${user}`.execute(stack.db);
async function driver(money = 500_00) {
  const added = await stack.driver(money);
  await reachable(added.id);
  return added;
}
const at = (client: Client, { number, connector }: Station) =>
  client.call(siteQueueAt, { params: { number }, query: { connector: String(connector) as never } });
const placeOf = async (client: Client, station: Station) => (await at(client, station)).body.place;
const join = (client: Client, { number, connector }: Station) =>
  client.call(joinSiteQueue, { params: { number }, body: { connector } });
const pay = (client: Client, { connector }: Station) => stack.pay(client, { connector, amount: '100' });
const refusalOf = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  return status === 200 ? null : (body as { code?: string }).code;
};
const endOf = async (id: number | undefined) =>
  (
    await stack.db
      .selectFrom('free_alerts')
      .select('end_reason')
      .where('id', '=', id ?? 0)
      .executeTakeFirst()
  )?.end_reason;
const turnOf = async (client: Client, station: Station) =>
  until(async () => expect((await placeOf(client, station))?.head_start_until).toEqual(expect.any(String)));
const chatsTo = async (user: number) => {
  const { rows } = await sql<{ text: string }>`select data ->> 'text' as text from pgboss.job
    where name = 'messages.telegram' and (data ->> 'chat')::bigint = ${user + 700_000_000} order by created_on`.execute(
    stack.db,
  );
  return rows.map(({ text }) => text);
};

test('a site has no queue until staff switch it on: the refusal stays as it was [STN-25]', async () => {
  const { free, site } = await fullSite(1, { has_queue: false });
  const [station] = free as [Station];
  const { client } = await driver();
  expect(await refusalOf(pay(client, station))).toBe('site_full');
  expect((await at(client, station)).body).toMatchObject({ is_open: false, place: null });
  expect(await refusalOf(join(client, station))).toBe('no_queue');
  await site.change({ has_queue: true });
  expect((await at(client, station)).body).toMatchObject({ is_open: true, waiting: 0, place: null });
});

test('drivers wait before they pay, in order, with place and estimate, and the room of a head start is only for its driver [STN-25]', async () => {
  const { charge, free, site } = await fullSite(3);
  const [one, two, three] = free as [Station, Station, Station];
  const [first, second, third] = [await driver(), await driver(), await driver()];
  expect(await refusalOf(pay(first.client, one))).toBe('site_full');
  expect((await join(first.client, one)).body).toMatchObject({ ahead: 0, turn_at: null, head_start_until: null });
  const { body } = await join(second.client, two);
  expect(body).toMatchObject({ ahead: 1 });
  // Nothing is paid or held by those who wait.
  const held = await stack.db
    .selectFrom('payments')
    .select('id')
    .where('user_id', 'in', [first.id, second.id])
    .where('purpose', '=', 'operation')
    .execute();
  expect(held).toEqual([]);
  expect((await first.client.call(getUser)).body.balance).toBe(500_00);

  // 10 kWh are paid, 9.9 are left, and the charge takes 50 kW. What comes after it is not known.
  await charge.device.meter(1, charge.transactionId, 1_100, 50_000);
  await until(async () => {
    const turnAt = Date.parse((await placeOf(first.client, one))?.turn_at ?? '');
    expect(Math.abs(turnAt - clock.now().getTime() - 712_800)).toBeLessThan(30_000);
  });
  expect((await placeOf(second.client, two))?.turn_at).toBeNull();
  expect(await site.queue()).toMatchObject([
    { station: one.number, user: { id: first.id }, head_start_until: null, turn_at: expect.any(String) },
    { station: two.number, user: { id: second.id }, turn_at: null },
  ]);

  await charge.device.stop(charge.transactionId, 1_200);
  await turnOf(first.client, one);
  expect(await chatsTo(first.id)).toEqual([expect.stringContaining(`Станція ${one.number}`)]);
  expect(await chatsTo(second.id)).toEqual([]);
  // The free connector of the ended charge is not for others either.
  for (const station of [two, three]) expect(await refusalOf(pay(second.client, station))).toBe('site_full');
  expect(await refusalOf(pay(third.client, one))).toBe('site_full');
  expect(await refusalOf(pay(first.client, one))).toBeNull();
  await until(async () => expect(await placeOf(first.client, one)).toBeNull());
  expect((await placeOf(second.client, two))?.ahead).toBe(0);
  await stack.checkBooks();
});

test('a head start that runs out gives the turn to the next one, and after two unused turns a driver has to let others charge', async () => {
  const { charge, free } = await fullSite(2);
  const [one, two] = free as [Station, Station];
  const [first, second] = [await driver(), await driver()];
  const { body } = await join(first.client, one);
  await join(second.client, two);
  await charge.device.stop(charge.transactionId, 1_100);
  await turnOf(first.client, one);
  passed += 10 * 60_000 + 1_000;
  await turnOf(second.client, two);
  expect(await endOf(body.id)).toBe('passed');
  // Leaving gives the turn on as well.
  const again = (await join(first.client, one)).body;
  expect(again).toMatchObject({ ahead: 1, head_start_until: null });
  const place = await placeOf(second.client, two);
  expect((await second.client.call(removeFreeAlert, { params: { id: String(place?.id) } })).status).toBeLessThan(300);
  await turnOf(first.client, one);
  expect((await first.client.call(removeFreeAlert, { params: { id: String(again.id) } })).status).toBeLessThan(300);
  expect(await refusalOf(join(first.client, one))).toBe('too_many_attempts');
  expect(await refusalOf(pay(first.client, one))).toBeNull();
});

test('of many who ask on two nodes while one has a head start only that one passes, and each driver has one place', async () => {
  const { charge, free, site } = await fullSite(4);
  const [mine, ...others] = free as [Station, ...Station[]];
  const [owner, ...rivals] = await Promise.all([0, 1, 2, 3].map(() => driver()));
  if (!owner) throw new Error('no driver');
  const clientAt = async ({ phone }: { phone: string }) => {
    const client = other.client();
    await client.call(signIn, { body: { phone_number: phone, password: 'a-test-password' } });
    return client;
  };
  const elsewhere = await clientAt(owner);
  await Promise.all([join(owner.client, mine), join(elsewhere, mine), join(owner.client, mine)]);
  expect(await site.queue()).toHaveLength(1);
  await charge.device.stop(charge.transactionId, 1_100);
  await turnOf(owner.client, mine);
  const rivalsThere = await Promise.all(rivals.map(clientAt));
  const answers = await Promise.all([
    ...rivals.map(({ client }, index) => refusalOf(pay(client, others[index] as Station))),
    ...rivalsThere.map((client, index) => refusalOf(pay(client, others[index] as Station))),
    refusalOf(pay(elsewhere, mine)),
  ]);
  expect(answers.filter((code) => code === null)).toHaveLength(1);
  expect(answers.at(-1)).toBeNull();
  await stack.checkBooks();
});

test('two nodes that see the same power at one moment give one turn', async () => {
  const { charge, free, site } = await fullSite(2);
  const [one, two] = free as [Station, Station];
  const [first, second] = [await driver(), await driver()];
  await join(first.client, one);
  await join(second.client, two);
  await charge.device.stop(charge.transactionId, 1_100);
  const look = (node: Stack | TestServer) =>
    node.steps.run(async (step) => {
      await sql`select from sites where id = ${site.id} for update`.execute(step.db);
      await node.features.freeAlerts.siteQueues.look(step, site.id);
    });
  await Promise.all([look(stack), look(other), look(stack), look(other)]);
  await turnOf(first.client, one);
  expect((await site.queue()).map(({ head_start_until }) => head_start_until !== null)).toEqual([true, false]);
  expect(await chatsTo(first.id)).toHaveLength(1);
});

test('a driver whom no channel reaches waits while the page is open, and no longer', async () => {
  const { free } = await fullSite(1);
  const [station] = free as [Station];
  const { client, id } = await stack.driver();
  expect((await at(client, station)).body).toMatchObject({ is_open: true, is_reachable: false });
  const place = (await join(client, station)).body;
  passed += 90_000;
  await at(client, station);
  passed += 90_000;
  expect((await at(client, station)).body.place?.id).toBe(place.id);
  // With a channel the page may be closed.
  await client.call(setNoticeChannels, { body: { sms: true } });
  expect((await at(client, station)).body.is_reachable).toBe(true);
  passed += 10 * 60_000;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await endOf(place.id)).toBeNull();
  await client.call(setNoticeChannels, { body: { sms: false } });
  expect((await at(client, station)).body.is_reachable).toBe(false);
  passed += 121_000;
  await until(async () => expect(await endOf(place.id)).toBe('unseen'));
  expect(await chatsTo(id)).toEqual([]);
});

test('when staff close the queue or take a station out of the site, those who wait are informed and nothing is kept', async () => {
  const { free, site } = await fullSite(2);
  const [one, two] = free as [Station, Station];
  const [first, second] = [await driver(), await driver()];
  await join(first.client, one);
  const place = (await join(second.client, two)).body;
  await site.change({ stations: [one.number] });
  expect(await endOf(place.id)).toBe('closed');
  expect(await chatsTo(second.id)).toEqual([expect.stringContaining('Черги більше немає')]);
  expect((await at(second.client, two)).body).toMatchObject({ is_open: false, place: null });
  // The charge is not at the site any more either, so there is power now.
  await turnOf(first.client, one);
  await site.change({ stations: [one.number, two.number], has_queue: false });
  expect(await placeOf(first.client, one)).toBeNull();
  expect(await refusalOf(pay(second.client, two))).toBeNull();
});

test('an account that is deleted leaves the queue, and a guest who signs in keeps the place', async () => {
  const { charge, free, site } = await fullSite(2);
  const [one, two] = free as [Station, Station];
  const gone = await stack.addUser();
  const leaving = stack.client();
  await leaving.call(signIn, { body: { phone_number: gone.phone, password: gone.password } });
  await join(leaving, one);
  const account = await stack.addUser();
  const guest = stack.client();
  await guest.call(signInAsGuest, {});
  const place = (await join(guest, two)).body;
  expect(place.ahead).toBe(1);
  const params = { id: String(gone.id) };
  const deleted = await leaving.call(deleteAccount, { params, body: { current_password: gone.password } });
  expect(deleted.status).toBeLessThan(300);
  await guest.call(signIn, { body: { phone_number: account.phone, password: account.password } });
  expect(await site.queue()).toMatchObject([{ user: { id: account.id } }]);
  expect(await placeOf(guest, two)).toMatchObject({ id: place.id, ahead: 0 });
  await charge.device.stop(charge.transactionId, 1_100);
  await turnOf(guest, two);
});

test('while the service is shut down no turn comes and none is lost', async () => {
  const { charge, free } = await fullSite(2);
  const [one, two] = free as [Station, Station];
  const [first, second] = [await driver(), await driver()];
  const place = (await join(first.client, one)).body;
  await join(second.client, two);
  const down = () => boss.client.call(shutDown, { body: { text: null, start_time: null, end_time: null } });
  await charge.device.stop(charge.transactionId, 1_100);
  await turnOf(first.client, one);
  await down();
  expect((await pay(first.client, one)).status).toBe(503);
  passed += 11 * 60_000;
  const row = () =>
    stack.db
      .selectFrom('free_alerts')
      .select(['head_start_until', 'ended_at'])
      .where('id', '=', place.id)
      .executeTakeFirst();
  await until(async () => expect(await row()).toEqual({ head_start_until: null, ended_at: null }));
  await boss.client.call(turnOn, {});
  // A queue is looked at each minute, at first perhaps by the node that does not know yet that the service is on again.
  const laterTurn = async () => {
    passed += lookAgainMs;
    expect((await placeOf(first.client, one))?.head_start_until).toEqual(expect.any(String));
  };
  await vi.waitFor(laterTurn, { timeout: 30_000, interval: 1_000 });
  expect((await placeOf(second.client, two))?.head_start_until).toBeNull();
});

test('a connector that is taken or breaks during the head start does not hold up the next one', async () => {
  const { charge, free } = await fullSite(2);
  const [one, two] = free as [Station, Station];
  const [first, second] = [await driver(), await driver()];
  await join(first.client, one);
  await join(second.client, two);
  await charge.device.stop(charge.transactionId, 1_100);
  await turnOf(first.client, one);
  await one.device.status(1, 'Faulted');
  await turnOf(second.client, two);
  expect(await placeOf(first.client, one)).toMatchObject({ ahead: 0, head_start_until: null });
});
