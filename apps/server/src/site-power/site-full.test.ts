import { getUser } from '@fpay/contract/account';
import { addSite, changeSite } from '@fpay/contract/admin/network/sites';
import { newPayment } from '@fpay/contract/charging';
import { requestRfidBind } from '@fpay/contract/rfid';
import { getAlternatives } from '@fpay/contract/stations';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cardUser, newTag } from '../rfid/testing/card-users.ts';
import { type Stack, startStack } from '../testing/stack.ts';

// Each test waits for several commands of two devices, some for five seconds above the limit.
vi.setConfig({ testTimeout: 60_000 });

let stack: Stack;
let boss: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  boss = await stack.signedIn('SuperAdmin');
});
afterAll(() => stack.close());

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 100 });

async function addSiteOf(limit: number, stations: readonly { number: string }[]) {
  const settings = { name: 'Майданчик', limit, reserve: 0, stations: stations.map(({ number }) => number) };
  const { body } = await boss.client.call(addSite, { body: settings });
  const change = (more: object) =>
    boss.client.call(changeSite, { params: { id: String(body.id) }, body: { ...settings, ...more } });
  return { id: body.id, change };
}

const operationsOf = (user: number) =>
  stack.db
    .selectFrom('operations')
    .select(['id', 'status', 'stop_cause', 'total', 'energy_wh'])
    .where('user_id', '=', user)
    .orderBy('id')
    .execute();
/** By Telegram. */
const reachable = (user: number) =>
  sql`update users set telegram_id = ${user + 800_000_000} where id = ${user}`.execute(stack.db);
const noticesOf = async (operation: number) =>
  (await stack.db.selectFrom('notices').select('kind').where('operation_id', '=', operation).execute()).map(
    ({ kind }) => kind,
  );

test('a start that does not fit is refused before the payment with the nearest free connector, and nothing is held [STN-25]', async () => {
  const [first, second, elsewhere] = [await stack.addScripted(), await stack.addScripted(), await stack.addScripted()];
  await elsewhere.device.status(1, 'Available');
  await addSiteOf(100_000, [first, second]);
  const [one, other] = [await stack.driver(500_00), await stack.driver(500_00)];
  expect((await stack.pay(one.client, { connector: first.connector, amount: '100' })).status).toBe(200);

  const refused = await stack.pay(other.client, { connector: second.connector, amount: '100' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'site_full' } });
  const { free } = refused.body as unknown as { free: { number: string; type: string }[] };
  expect(free[0]).toMatchObject({ number: elsewhere.number, type: 'ccstype2' });
  expect(await operationsOf(other.id)).toEqual([]);
  expect((await other.client.call(getUser)).body.balance).toBe(500_00);
  await stack.checkBooks();

  // A free connector at a full site is no alternative.
  await second.device.status(1, 'Available');
  await until(async () => {
    const { body } = await other.client.call(getAlternatives, { query: { number: elsewhere.number } });
    expect(body.free.map(({ number }) => number)).not.toContain(second.number);
  });
  await elsewhere.device.status(1, 'Unavailable');
});

test('of starts at one moment only as many pass as have room [STN-25]', async () => {
  const stations = await Promise.all([1, 2, 3, 4].map(() => stack.addScripted()));
  await addSiteOf(130_000, stations);
  const drivers = await Promise.all(stations.map(() => stack.driver(500_00)));
  const answers = await Promise.all(
    drivers.map(({ client }, index) =>
      stack.pay(client, { connector: stations[index]?.connector ?? 0, amount: '100' }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  await stack.checkBooks();
});

test('the limit falls after the payment: the start is canceled, the hold released and the driver informed [STN-25]', async () => {
  const station = await stack.addScripted();
  const site = await addSiteOf(100_000, [station]);
  const driver = await stack.driver();
  await reachable(driver.id);
  const body = { connector: station.connector, amount: '100', payment_type: 'card', target: 'uah' } as const;
  const { page_url } = (await driver.client.call(newPayment, { body })).body;
  await site.change({ limit: 30_000 });
  await stack.payAtBank(page_url);
  await until(async () => expect((await operationsOf(driver.id))[0]?.status).toBe('canceled'));
  const [operation] = await operationsOf(driver.id);
  expect(operation).toMatchObject({ stop_cause: 'site_full', total: 0 });
  expect(station.device.commands.map(({ action }) => action)).not.toContain('RemoteStartTransaction');
  await until(async () => expect(await stack.atBank(page_url)).toMatchObject({ status: 'reversed' }));
  await until(async () => expect(await noticesOf(operation?.id ?? 0)).toEqual(['site_full']));
  const view = await stack.until(driver.client, operation?.id ?? 0, 'canceled');
  expect(view.site_cause).toBe('full');
  await stack.checkBooks();
});

test('a card at the reader is blocked where its site is full [STN-25]', async () => {
  const [first, second] = [await stack.addScripted(), await stack.addScripted()];
  const driver = await cardUser(stack, 200_00);
  await driver.client.call(requestRfidBind, { body: { station_number: second.number } });
  const tag = newTag();
  await second.device.call('Authorize', { idTag: tag });
  await addSiteOf(100_000, [first, second]);
  const other = await stack.driver(500_00);
  await stack.pay(other.client, { connector: first.connector, amount: '100' });
  const { transactionId, idTagInfo } = await second.device.start(1, tag, 1_000);
  expect(idTagInfo.status).toBe('Blocked');
  expect(await operationsOf(driver.id)).toEqual([]);
  await second.device.stop(transactionId, 1_000);
  await stack.checkBooks();
});

test('the limit falls while devices charge that cannot be steered: the newest is stopped, pays what it got, and staff see it', async () => {
  const [first, second] = [await stack.startCharge('150'), await stack.startCharge('150')];
  await Promise.all([first, second].map(({ device, transactionId }) => device.meter(1, transactionId, 1_005, 55_000)));
  await reachable(second.userId);
  const site = await addSiteOf(120_000, [first, second]);
  await site.change({ limit: 80_000 });
  await second.device.asked('RemoteStopTransaction');
  await second.device.stop(second.transactionId, 1_040);
  const ended = await stack.until(second.client, second.id, 'finished');
  expect(ended).toMatchObject({ site_cause: 'limit', energy: 40, total: 60 });
  expect(first.device.commands.map(({ action }) => action)).not.toContain('RemoteStopTransaction');
  expect(await noticesOf(second.id)).toContain('site_limit');
  const anomalies = await stack.db
    .selectFrom('charge_point_anomalies as a')
    .innerJoin('charge_points as p', 'p.id', 'a.charge_point_id')
    .select(['a.kind', 'p.identity'])
    .where('a.kind', '=', 'siteLimitStop')
    .execute();
  expect(anomalies).toEqual([{ kind: 'siteLimitStop', identity: second.identity }]);
  await first.device.stop(first.transactionId, 1_040);
  await stack.until(first.client, first.id, 'finished');
  await stack.checkBooks();
});

test('field problem 67: a device that accepts a lower share and takes more counts its rated power, until it is seen to obey', async () => {
  const charge = await stack.startCharge('150');
  await stack.db
    .updateTable('charge_points')
    .set({
      configuration: JSON.stringify({ configuredFor: 'X', values: { SupportedFeatureProfiles: 'SmartCharging' } }),
    })
    .where('identity', '=', charge.identity)
    .execute();
  await addSiteOf(70_000, [charge]);
  const seen = () =>
    stack.db
      .selectFrom('site_devices as d')
      .innerJoin('charge_points as p', 'p.id', 'd.charge_point_id')
      .select(['d.obeys', 'd.taken_w', 'd.allowed_w'])
      .where('p.identity', '=', charge.identity)
      .executeTakeFirst();
  const meter = (wh: number, watts: number) => charge.device.meter(1, charge.transactionId, wh, watts);
  // Its trial: less than it takes.
  await meter(1_100, 50_000);
  await until(() =>
    expect(JSON.stringify(charge.device.commands.filter(({ action }) => action === 'SetChargingProfile'))).toContain(
      '"limit":35000',
    ),
  );
  let wh = 1_100;
  await until(async () => {
    wh += 1;
    await meter(wh, 50_000);
    expect(await seen()).toEqual({ obeys: false, taken_w: 50_000, allowed_w: 35_000 });
  });
  await meter(wh + 1, 34_000);
  await until(async () => expect(await seen()).toEqual({ obeys: true, taken_w: null, allowed_w: null }));
  await charge.device.stop(charge.transactionId, wh + 2);
  await stack.until(charge.client, charge.id, 'finished');
});
