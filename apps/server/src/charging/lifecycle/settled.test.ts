import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, operationLog } from '@fpay/contract/charging';
import { feedbackAllowed, giveFeedback } from '@fpay/contract/feedback';
import { balanceTransactions } from '@fpay/contract/wallet';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

let stack: MovedStack;
beforeAll(async () => {
  stack = await startMovedStack();
});
afterAll(() => stack.close());

const charging = () => stack.startCharge('150', 0);

async function finished() {
  const fixture = await charging();
  await fixture.device.stop(fixture.transactionId, 200);
  await stack.until(fixture.client, fixture.id, 'finished');
  return fixture;
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
        await stack.db.transaction().execute(async (change) => {
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

test('the active operations of a user, without those of others [ENT-15] [API-31]', async () => {
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

test('feedback: only the owner, only after the end, once; an issue is a rating of 1 with its text [ENT-22] [API-51] [API-52]', async () => {
  const fixture = await charging();
  const stranger = await stack.driver();
  const about = { charging_operation_id: fixture.id };
  const allowed = async (client: typeof fixture.client) =>
    (await client.call(feedbackAllowed, { body: about })).body.allow;
  expect([await allowed(fixture.client), await allowed(stranger.client)]).toEqual(['DENY_NOT_ENDED', 'DENY_NOT_OWNER']);
  // Another user's operation and one that does not exist get the same answer, so that ids cannot be probed.
  const none = { charging_operation_id: 9_999_999 };
  const unknown = await stranger.client.call(feedbackAllowed, { body: none });
  expect([unknown.status, unknown.body.allow]).toEqual([200, 'DENY_NOT_OWNER']);
  expect((await stranger.client.call(giveFeedback, { body: { ...none, rating: 5 } })).status).toBe(404);
  expect((await fixture.client.call(giveFeedback, { body: { ...about, rating: 5 } })).status).toBe(409);
  await fixture.device.stop(fixture.transactionId, 0);
  await stack.until(fixture.client, fixture.id, 'failed');
  expect(await allowed(fixture.client)).toBe('ALLOW');
  for (const rating of [0, 6, 4.5]) {
    expect((await fixture.client.call(giveFeedback, { body: { ...about, rating } })).status).toBe(422);
  }
  expect((await stranger.client.call(giveFeedback, { body: { ...about, rating: 1 } })).status).toBe(404);
  const twice = await Promise.all(
    [1, 2].map(() => fixture.client.call(giveFeedback, { body: { ...about, rating: 1, comment: 'Не заряджає' } })),
  );
  expect(twice.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect(await allowed(fixture.client)).toBe('DENY_RATED');
  const { body } = await fixture.client.call(getOperation, { params: { id: String(fixture.id) } });
  expect(body).toMatchObject({ rating: 1, rating_comment: 'Не заряджає' });
});

test('40 kWh and more at a station with the promotion bring 40 UAH back as a promo transaction, once [STN-20]', async () => {
  for (const [energyWh, thanks] of [
    [40_000, 40_00],
    [39_999, 0],
  ] as const) {
    const station = await stack.addScripted();
    const driver = await stack.driver(1000_00);
    const row = await stack.db
      .selectFrom('stations')
      .select('id')
      .where('number', '=', station.number)
      .executeTakeFirstOrThrow();
    const terms = JSON.stringify({ min_energy_wh: 40_000, amount: 40_00 });
    await stack.db
      .insertInto('promotions')
      .values({ code: 'free_parking', kind: 'reward', station_id: row.id, terms })
      .execute();
    const { body } = await stack.pay(driver.client, { connector: station.connector, amount: '1000' });
    const id = Number(body.page_url.slice(2));
    const { idTag } = await station.device.asked('RemoteStartTransaction');
    const began = new Date(Date.now() - 2 * 60 * 60_000).toISOString();
    const { transactionId } = await station.device.start(1, String(idTag), 0, began);
    await station.device.stop(transactionId, energyWh);
    const { total } = await stack.until(driver.client, id, 'finished');
    expect((await driver.client.call(getUser)).body.balance).toBe(1000_00 - total + thanks);
    const promos = (await driver.client.call(balanceTransactions, { query: {} })).body.filter(
      ({ type }) => type === 'promo',
    );
    expect(promos.map(({ amount, context }) => [amount, context.charging_operation_id])).toEqual(
      thanks > 0 ? [[thanks, id]] : [],
    );
  }
  await stack.checkBooks();
});

test('a late stop that raises a charge above 40 kWh brings the reward, once [STN-20]', async () => {
  const fixture = await stack.startCharge('1000', 0);
  const terms = JSON.stringify({ min_energy_wh: 40_000, amount: 40_00 });
  await sql`insert into promotions (code, kind, station_id, terms)
    select 'free_parking', 'reward', id, ${terms} from stations where number = ${fixture.number}`.execute(stack.db);
  // It began two hours ago, was lost, and after a day it was settled on its last reading.
  await sql`update ocpp_transactions set meter_state =
    (meter_state::jsonb || '{"risenAt": 0, "risenDeviceAt": 0}')::text where id = ${fixture.transactionId}`.execute(
    stack.db,
  );
  await fixture.device.meter(1, fixture.transactionId, 39_000);
  await createWatchedCharges(stack).goesAway(fixture);
  stack.ahead({ hours: 25 });
  await stack.charging.watch();
  const settled = await stack.until(fixture.client, fixture.id, 'finished');
  const promos = async () =>
    (await fixture.client.call(balanceTransactions, { query: {} })).body.filter(({ type }) => type === 'promo');
  expect([settled.energy, await promos()]).toEqual([39_000, []]);

  await sql`update ocpp_transactions set meter_state = (meter_state::jsonb || '{"risenAt": 0}')::text
    where id = ${fixture.transactionId}`.execute(stack.db);
  const back = await fixture.connect();
  await back.stop(fixture.transactionId, 40_500);
  await back.stop(fixture.transactionId, 40_500);
  const { energy, total } = await stack.until(fixture.client, fixture.id, 'finished');
  expect(energy).toBe(40_500);
  expect((await promos()).map(({ amount }) => amount)).toEqual([40_00]);
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - total + 40_00);
  await stack.checkBooks();
});

test('debt of an earlier operation does not block a new charge [PAY-27]', async () => {
  const fixture = await finished();
  await sql`update operations set status = 'pending_final_payment' where id = ${fixture.id}`.execute(stack.db);
  const next = await stack.addScripted();
  expect((await stack.pay(fixture.client, { connector: next.connector, amount: '50' })).status).toBe(200);
});

test('the log shows the whole course line by line; technical lines only to users who may read them [API-61]', async () => {
  const fixture = await finished();
  const read = async (role: 'Support' | 'Operator' | 'User') => {
    const { client } = await stack.signedIn(role);
    return client.call(operationLog, { params: { id: String(fixture.id) } });
  };
  const support = await read('Support');
  const lines = String(support.body);
  expect(support.headers.get('content-type')).toMatch(/^text\/plain/);
  for (const words of [
    'driver: opened at',
    'created → pending',
    'pending → starting',
    'starting → ongoing',
    '→ finished',
  ]) {
    expect(lines).toContain(words);
  }
  expect(lines.split('\n').every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z \w+: /.test(line))).toBe(true);
  expect(lines).not.toContain('RemoteStartTransaction answered');
  expect(String((await read('Operator')).body)).toContain('RemoteStartTransaction answered Accepted');
  expect((await read('User')).status).toBe(403);
});
