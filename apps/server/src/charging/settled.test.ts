import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, operationLog } from '@fpay/contract/charging';
import { feedbackAllowed, giveFeedback } from '@fpay/contract/feedback';
import { balanceTransactions } from '@fpay/contract/wallet';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const charging = () => world.startCharge('150', 0);

async function finished() {
  const scene = await charging();
  await scene.device.stop(scene.transactionId, 200);
  await world.until(scene.client, scene.id, 'finished');
  return scene;
}

test('an operation has the fields of the specification [ENT-11] [API-48]', async () => {
  const { client, id, number } = await charging();
  const { body } = await client.call(getOperation, { params: { id: String(id) } });
  expect(body).toMatchObject({
    id,
    status: 'ongoing',
    number,
    address: expect.any(String),
    address_uk: expect.any(String),
    connector_type: 'ccstype2',
    connector_number: '1',
    connector_power: 60_000,
    start_attempt: 1,
    max_attempts: 3,
  });
});

test('an operation and its payment are read at one moment, never one before and one after a change', async () => {
  const { client, id } = await charging();
  const seen = new Set<string>();
  let isFlipping = true;
  // Both change in one transaction, as they do at the end of a charge.
  const flip = async () => {
    while (isFlipping)
      for (const [status, state] of [
        ['finished', 'success'],
        ['ongoing', 'hold'],
      ])
        await world.db.transaction().execute(async (change) => {
          await sql`update operations set status = ${status} where id = ${id}`.execute(change);
          await sql`update payments set status = ${state} where operation_id = ${id}`.execute(change);
        });
  };
  const flipping = flip();
  for (let look = 0; look < 300; look++) {
    const { body } = await client.call(getOperation, { params: { id: String(id) } });
    seen.add(`${body.status} ${body.hold_status}`);
  }
  isFlipping = false;
  await flipping;
  expect([...seen].sort()).toEqual(['finished success', 'ongoing hold']);
});

test('the active operations of a user, and of nobody else [ENT-15] [API-31]', async () => {
  const [mine, other] = [await charging(), await charging()];
  expect((await mine.client.call(activeOperations)).body).toMatchObject([
    {
      id: mine.id,
      status: 'ongoing',
      connectorType: 'ccstype2',
      connectorAddress: '1',
      connectorPower: 60_000,
      deposit: 150_00,
    },
  ]);
  expect((await other.client.call(activeOperations)).body.map(({ id }) => id)).toEqual([other.id]);
});

test('feedback: only the owner, only after the end, once; an issue is a rating of 1 with its words [ENT-22] [API-51] [API-52]', async () => {
  const scene = await charging();
  const stranger = await world.driver();
  const about = { charging_operation_id: scene.id };
  const allowed = async (client: typeof scene.client) =>
    (await client.call(feedbackAllowed, { body: about })).body.allow;
  expect([await allowed(scene.client), await allowed(stranger.client)]).toEqual(['DENY_NOT_ENDED', 'DENY_NOT_OWNER']);
  // Another's operation and none are answered alike, so that ids cannot be probed.
  const none = { charging_operation_id: 9_999_999 };
  const unknown = await stranger.client.call(feedbackAllowed, { body: none });
  expect([unknown.status, unknown.body.allow]).toEqual([200, 'DENY_NOT_OWNER']);
  expect((await stranger.client.call(giveFeedback, { body: { ...none, rating: 5 } })).status).toBe(404);
  expect((await scene.client.call(giveFeedback, { body: { ...about, rating: 5 } })).status).toBe(409);
  await scene.device.stop(scene.transactionId, 0);
  await world.until(scene.client, scene.id, 'failed');
  expect(await allowed(scene.client)).toBe('ALLOW');
  for (const rating of [0, 6, 4.5]) {
    expect((await scene.client.call(giveFeedback, { body: { ...about, rating } })).status).toBe(422);
  }
  expect((await stranger.client.call(giveFeedback, { body: { ...about, rating: 1 } })).status).toBe(404);
  const twice = await Promise.all(
    [1, 2].map(() => scene.client.call(giveFeedback, { body: { ...about, rating: 1, comment: 'Не заряджає' } })),
  );
  expect(twice.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect(await allowed(scene.client)).toBe('DENY_RATED');
  const { body } = await scene.client.call(getOperation, { params: { id: String(scene.id) } });
  expect(body).toMatchObject({ rating: 1, rating_comment: 'Не заряджає' });
});

test('40 kWh and more at a station that thanks bring 40 UAH back as a promo transaction, once [STN-20]', async () => {
  for (const [energyWh, thanks] of [
    [40_000, 40_00],
    [39_999, 0],
  ] as const) {
    const station = await world.addScripted();
    const driver = await world.driver(1000_00);
    const row = await world.db
      .selectFrom('stations')
      .select('id')
      .where('number', '=', station.number)
      .executeTakeFirstOrThrow();
    const terms = JSON.stringify({ min_energy_wh: 40_000, amount: 40_00 });
    await world.db
      .insertInto('promotions')
      .values({ code: 'free_parking', kind: 'reward', station_id: row.id, terms })
      .execute();
    const { body } = await world.pay(driver.client, { connector: station.connector, amount: '1000' });
    const id = Number(body.page_url.slice(2));
    const { idTag } = await station.device.asked('RemoteStartTransaction');
    const began = new Date(Date.now() - 2 * 60 * 60_000).toISOString();
    const { transactionId } = await station.device.start(1, String(idTag), 0, began);
    await station.device.stop(transactionId, energyWh);
    const { total } = await world.until(driver.client, id, 'finished');
    expect((await driver.client.call(getUser)).body.balance).toBe(1000_00 - total + thanks);
    const promos = (await driver.client.call(balanceTransactions, { query: {} })).body.filter(
      ({ type }) => type === 'promo',
    );
    expect(promos.map(({ amount, context }) => [amount, context.charging_operation_id])).toEqual(
      thanks > 0 ? [[thanks, id]] : [],
    );
  }
  await world.checkBooks();
});

test('a late stop that lifts a charge over 40 kWh brings the reward, once [STN-20]', async () => {
  const scene = await world.startCharge('1000', 0);
  const terms = JSON.stringify({ min_energy_wh: 40_000, amount: 40_00 });
  await sql`insert into promotions (code, kind, station_id, terms)
    select 'free_parking', 'reward', id, ${terms} from stations where number = ${scene.number}`.execute(world.db);
  // Two hours ago it began, was lost, and after a day it was settled on its last reading.
  await sql`update ocpp_transactions set meter_state =
    (meter_state::jsonb || '{"risenAt": 0, "risenDeviceAt": 0}')::text where id = ${scene.transactionId}`.execute(
    world.db,
  );
  await scene.device.meter(1, scene.transactionId, 39_000);
  await sql`update charge_points set is_online = false, online_changed_at = now() - interval '25 hours'
    where identity = ${scene.identity}`.execute(world.db);
  await world.charging.watch();
  const settled = await world.until(scene.client, scene.id, 'finished');
  const promos = async () =>
    (await scene.client.call(balanceTransactions, { query: {} })).body.filter(({ type }) => type === 'promo');
  expect([settled.energy, await promos()]).toEqual([39_000, []]);

  await sql`update ocpp_transactions set meter_state = (meter_state::jsonb || '{"risenAt": 0}')::text
    where id = ${scene.transactionId}`.execute(world.db);
  await scene.device.stop(scene.transactionId, 40_500);
  await scene.device.stop(scene.transactionId, 40_500);
  const { energy, total } = await world.until(scene.client, scene.id, 'finished');
  expect(energy).toBe(40_500);
  expect((await promos()).map(({ amount }) => amount)).toEqual([40_00]);
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - total + 40_00);
  await world.checkBooks();
});

test('debt of an earlier operation does not block a new charge [PAY-27]', async () => {
  const scene = await finished();
  await sql`update operations set status = 'pending_final_payment' where id = ${scene.id}`.execute(world.db);
  const next = await world.addScripted();
  expect((await world.pay(scene.client, { connector: next.connector, amount: '50' })).status).toBe(200);
});

test('the log tells the whole story line by line; technical lines only to those who may read them [API-61]', async () => {
  const scene = await finished();
  const read = async (role: 'Support' | 'Operator' | 'User') => {
    const { client } = await world.signedIn(role);
    return client.call(operationLog, { params: { id: String(scene.id) } });
  };
  const support = await read('Support');
  const story = String(support.body);
  expect(support.headers.get('content-type')).toMatch(/^text\/plain/);
  for (const words of [
    'driver: opened at',
    'created → pending',
    'pending → starting',
    'starting → ongoing',
    '→ finished',
  ]) {
    expect(story).toContain(words);
  }
  expect(story.split('\n').every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z \w+: /.test(line))).toBe(true);
  expect(story).not.toContain('RemoteStartTransaction answered');
  expect(String((await read('Operator')).body)).toContain('RemoteStartTransaction answered Accepted');
  expect((await read('User')).status).toBe(403);
});
