import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { requestRfidBind } from '@fpay/contract/rfid';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from '../testing/client.ts';
import { type MovedStack, startMovedStack } from '../testing/stack.ts';
import { createWatchedCharges } from './testing/watchdog.ts';

/**
 * Faults of real charge points, each tested through a real socket up to the money. docs/charging.md lists which row is
 * proven where.
 */
let stack: MovedStack;
beforeAll(async () => {
  stack = await startMovedStack();
});
afterAll(() => stack.close());

const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const ago = (seconds: number) => new Date(stack.clock.now().getTime() - seconds * 1_000).toISOString();
const look = async (client: Client, id: number) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

/** The charge ended with this energy, cost exactly that, and the rest is back in the wallet. */
async function paid({ client, id }: { client: Client; id: number }, energy: number, wallet = 1000_00) {
  const total = Math.floor((energy * 15_00 + 500) / 1_000);
  const ended = await stack.until(client, id, 'finished');
  expect(ended).toMatchObject({ energy, total, payment_status: 'success' });
  expect(await balance(client)).toBe(wallet - total);
  await stack.checkBooks();
}

test('field problem 11: a StartTransaction sent again after a reconnect is the same charge, billed once', async () => {
  const fixture = await stack.askedToStart();
  const at = ago(5);
  const first = await fixture.device.start(1, fixture.idTag, 1_000, at);
  await fixture.device.close();
  const back = await fixture.connect();
  const again = await back.start(1, fixture.idTag, 1_000, at);
  expect(again).toEqual(first);
  await back.stop(again.transactionId, 1_180);
  await paid(fixture, 180);
});

test.each([
  [{ transactionId: 0 }],
  [{ transactionId: -1 }],
  [{}],
  [{ transactionId: '' }],
  [{ transactionId: 1_999_999_999 }],
])('field problem 14: MeterValues with %j count for the charge of that connector and are paid for', async (id) => {
  const fixture = await stack.startCharge();
  const sampledValue = [{ value: '1160', unit: 'Wh' }];
  const meterValue = [{ timestamp: ago(0), sampledValue }];
  expect(await fixture.device.call('MeterValues', { connectorId: 1, ...id, meterValue })).toEqual({});
  // The stop has no usable reading, so these are billed.
  await fixture.device.stop(fixture.transactionId, 0);
  await paid(fixture, 160);
});

test('field problems 13 and 15: a stop with id 0 and no tag ends the running charge, not an earlier one without a stop', async () => {
  const forgotten = await stack.startCharge();
  await forgotten.device.meter(1, forgotten.transactionId, 1_100);
  // It ended while the charger was away, which never reported that; its driver stopped it, too.
  const timestamp = ago(0);
  await createWatchedCharges(stack).goesAway(forgotten);
  await forgotten.client.call(stopOperation, { params: { id: String(forgotten.id) } });
  stack.ahead({ hours: 25 });
  await stack.charging.watch();
  await paid(forgotten, 100);
  const { client } = await stack.driver(1000_00);
  const back = await forgotten.connect();
  await back.status(1, 'Preparing');
  const { body } = await stack.pay(client, { connector: forgotten.connector, amount: '150' });
  const { idTag } = await back.asked('RemoteStartTransaction');
  await back.start(1, String(idTag), 1_200);
  await back.stop(0, 1_340);
  const ended = await stack.until(client, Number(body.page_url.slice(2)), 'finished');
  expect(ended).toMatchObject({ energy: 140, total: 2_10 });
  expect(await balance(client)).toBe(1000_00 - 2_10);
  // The stop of the first charge arrives after all: its own driver pays for it, and no other driver.
  await back.stop(forgotten.transactionId, 1_120, { timestamp });
  await paid(forgotten, 120);
  expect(await balance(client)).toBe(1000_00 - 2_10);
});

test('field problem 16: power fails in mid-charge; the stop that comes after the boot, hours old by its timestamp, is billed', async () => {
  const fixture = await stack.startCharge();
  await fixture.device.meter(1, fixture.transactionId, 1_100);
  await fixture.device.close();
  expect(await look(fixture.client, fixture.id)).toMatchObject({ status: 'ongoing', energy: 100 });
  const back = await fixture.connect();
  await back.stop(fixture.transactionId, 1_150, { reason: 'PowerLoss', timestamp: ago(3 * 3_600) });
  await paid(fixture, 150);
});

test('field problem 18: a register that restarts in mid-charge goes on being counted', async () => {
  const fixture = await stack.startCharge();
  await fixture.device.meter(1, fixture.transactionId, 1_120);
  await fixture.device.meter(1, fixture.transactionId, 30);
  await fixture.device.stop(fixture.transactionId, 60);
  await paid(fixture, 180);
});

test('field problem 60: a register below zero counts and is paid for', async () => {
  const fixture = await stack.startCharge('150', -3_000);
  await fixture.device.meter(1, fixture.transactionId, -2_900);
  await fixture.device.stop(fixture.transactionId, -2_820);
  await paid(fixture, 180);
});

test('field problem 60: a register that passes zero counts on', async () => {
  const fixture = await stack.startCharge('150', -100);
  await fixture.device.meter(1, fixture.transactionId, -10);
  await fixture.device.meter(1, fixture.transactionId, 40);
  await fixture.device.stop(fixture.transactionId, 80);
  await paid(fixture, 180);
});

test.each([
  ['values with value', (at: string) => ({ values: [{ timestamp: at, value: [{ value: '1150', unit: 'Wh' }] }] })],
  ['values with values', (at: string) => ({ values: { timestamp: at, values: [{ value: '1150' }] } })],
])('field problem 62: readings in the form of OCPP 1.5, %s, are read', async (_form, valuesAt) => {
  const fixture = await stack.startCharge();
  await fixture.device.call('MeterValues', {
    connectorId: 1,
    transactionId: fixture.transactionId,
    ...valuesAt(ago(0)),
  });
  const { body } = await fixture.client.call(getOperation, { params: { id: String(fixture.id) } });
  expect(body.energy).toBe(150);
  await fixture.device.stop(fixture.transactionId, 1_180);
  await paid(fixture, 180);
});

test('field problem 61: power that cannot be true is replaced by that of the registers, also when they come every three seconds', async () => {
  const asked = await stack.askedToStart('150', { powerW: 7_200, type: 'type2' });
  const { transactionId } = await asked.device.start(1, asked.idTag, 1_000, ago(15));
  for (const [index, seconds] of [12, 9, 6, 3, 0].entries()) {
    const sampledValue = [
      { value: String(1_006 + 6 * index), unit: 'Wh' },
      { value: '7200', unit: 'kW', measurand: 'Power.Active.Import' },
    ];
    const meterValue = [{ timestamp: ago(seconds), sampledValue }];
    await asked.device.call('MeterValues', { connectorId: 1, transactionId, meterValue });
  }
  // Each reading rose by too little to measure, but together they did not.
  await vi.waitFor(async () => {
    const { power } = await look(asked.client, asked.id);
    expect([power > 6_000, power < 8_500]).toEqual([true, true]);
  });
  await asked.device.stop(transactionId, 1_040);
  await paid({ client: asked.client, id: asked.id }, 40);
}, 60_000);

test('field problem 19: a register in kWh without a unit is recognised and paid for as kWh', async () => {
  const fixture = await stack.startCharge('150', 1_000_000);
  const meterValue = [{ timestamp: ago(0), sampledValue: [{ value: '1000.150' }] }];
  await fixture.device.call('MeterValues', { connectorId: 1, transactionId: fixture.transactionId, meterValue });
  await fixture.device.stop(fixture.transactionId, 0);
  await paid(fixture, 150);
});

test('field problem 26: a start that is accepted and never comes is requested three times, then everything is returned', async () => {
  const fixture = await stack.askedToStart();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await fixture.device.asked('RemoteStartTransaction', attempt - 1);
    await vi.waitFor(async () => expect(await phaseOf(fixture.id)).toBe('accepted'), { timeout: 10_000 });
    // The device's own ConnectionTimeOut and the margin have passed.
    await sql`update operations set next_action_at = now() where id = ${fixture.id}`.execute(stack.db);
  }
  expect(await stack.until(fixture.client, fixture.id, 'failed')).toMatchObject({
    total: 0,
    payment_status: 'reversed',
  });
  expect(await balance(fixture.client)).toBe(1000_00);
  await stack.checkBooks();
}, 40_000);

async function phaseOf(id: number): Promise<string | null> {
  const query = stack.db.selectFrom('operations').select('start_phase').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).start_phase;
}

test('field problem 29: a charge that some station forgot to end does not block the driver’s card elsewhere', async () => {
  const { client, id: user } = await stack.signedIn('Support');
  const grant = { staff: await stack.giver(), user, amount: 5000_00 as never, requestKey: `field:${user}` };
  await stack.staffMoney.increase(grant);
  const [forgetful, other] = [await stack.addScripted(), await stack.addScripted()];
  await client.call(requestRfidBind, { body: { station_number: forgetful.number } });
  await forgetful.device.call('Authorize', { idTag: '04FEED0029' });
  await forgetful.device.start(1, '04FEED0029', 1_000);
  const tap = (await other.device.call('Authorize', { idTag: '04FEED0029' })) as { idTagInfo: { status: string } };
  expect(tap.idTagInfo.status).toBe('Accepted');
  const { transactionId, idTagInfo } = await other.device.start(1, '04FEED0029', 7_000);
  expect(idTagInfo.status).toBe('Accepted');
  const open = (await client.call(activeOperations)).body;
  const here = open.find(({ station_number }) => station_number === other.number);
  expect(open).toHaveLength(2);
  await other.device.stop(transactionId, 7_200, { idTag: '04FEED0029', reason: 'Local' });
  expect(await stack.until(client, here?.id ?? 0, 'finished')).toMatchObject({ energy: 200, total: 3_00 });
  await stack.checkBooks();
});

test('field problem 30: a charge that an unknown card began offline is answered, ended and billed to no user', async () => {
  const { device } = await stack.addScripted();
  const before = await operations();
  const { transactionId, idTagInfo } = await device.start(1, '04DEAD0030', 1_000, ago(600));
  expect([transactionId > 0, idTagInfo.status]).toEqual([true, 'Invalid']);
  await device.meter(1, transactionId, 1_200);
  await device.stop(transactionId, 1_300, { idTag: '04DEAD0030' });
  expect(await operations()).toBe(before);
  await stack.checkBooks();
});

async function operations(): Promise<number> {
  const { count } = await stack.db
    .selectFrom('operations')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

test.each([
  ['without a tag', {}],
  ['by another tag', { idTag: '04AA000031' }],
])('field problem 31: a stop %s ends the charge and is paid for', async (_how, more) => {
  const fixture = await stack.startCharge();
  await fixture.device.stop(fixture.transactionId, 1_140, more);
  await paid(fixture, 140);
});

test('field problem 35: readings after the stop reopen nothing and cost nothing', async () => {
  const fixture = await stack.startCharge();
  await fixture.device.stop(fixture.transactionId, 1_140);
  await paid(fixture, 140);
  await fixture.device.meter(1, fixture.transactionId, 1_900);
  await paid(fixture, 140);
});

test('field problem 42: two connectors that start at once are two charges, each paid by its own driver', async () => {
  const station = await stack.addScripted({ connectors: 2 });
  const drivers = await Promise.all([0, 1].map(() => stack.driver(1000_00)));
  const fixtures = [];
  for (const [index, { client }] of drivers.entries()) {
    const { body } = await stack.pay(client, { connector: station.connectors[index] ?? 0, amount: '150' });
    fixtures.push({ client, id: Number(body.page_url.slice(2)) });
  }
  const tags = [
    await station.device.asked('RemoteStartTransaction'),
    await station.device.asked('RemoteStartTransaction', 1),
  ];
  const started = await Promise.all(
    tags.map(({ connectorId, idTag }) => station.device.start(Number(connectorId), String(idTag), 1_000)),
  );
  expect(new Set(started.map(({ transactionId }) => transactionId)).size).toBe(2);
  for (const [index, { connectorId }] of tags.entries()) {
    const { transactionId = 0 } = started[index] ?? {};
    await station.device.stop(transactionId, connectorId === 1 ? 1_110 : 1_170);
  }
  for (const [index, fixture] of fixtures.entries()) await paid(fixture, index === 0 ? 110 : 170);
});

test('field problem 44: kWh, fractions and older readings are each read correctly, and the bill never falls', async () => {
  const fixture = await stack.startCharge();
  const tell = (value: string, unit: string, at: string) =>
    fixture.device.call('MeterValues', {
      connectorId: 1,
      transactionId: fixture.transactionId,
      meterValue: [{ timestamp: at, sampledValue: [{ value, unit }] }],
    });
  await tell('1.12', 'kWh', ago(0));
  await tell('1180.6', 'Wh', ago(0));
  await tell('1100', 'Wh', ago(30));
  await fixture.device.stop(fixture.transactionId, 0);
  await paid(fixture, 181);
});

test('field problem 45: a start stamped 1970 is billed by its energy', async () => {
  const fixture = await stack.askedToStart();
  const { transactionId } = await fixture.device.start(1, fixture.idTag, 1_000, '1970-01-01T00:00:07Z');
  await fixture.device.stop(transactionId, 1_150, { timestamp: '1970-01-01T00:05:00Z' });
  await paid(fixture, 150);
  const { started_at } = await look(fixture.client, fixture.id);
  expect(stack.clock.now().getTime() - Date.parse(started_at ?? '')).toBeLessThan(60_000);
});

test('field problem 48: message ids that begin again from 1 after a reboot get their own answers', async () => {
  const fixture = await stack.askedToStart();
  await fixture.device.close();
  const first = await raw(fixture);
  expect(await first.call('1', 'Heartbeat', {})).toEqual({ currentTime: expect.any(String) });
  first.socket.terminate();
  const second = await raw(fixture);
  const start = { connectorId: 1, idTag: fixture.idTag, meterStart: 1_000, timestamp: ago(0) };
  const answer = (await second.call('1', 'StartTransaction', start)) as { transactionId: number };
  expect(answer).toEqual({ transactionId: expect.any(Number), idTagInfo: { status: 'Accepted' } });
  await second.call('2', 'StopTransaction', {
    transactionId: answer.transactionId,
    meterStop: 1_120,
    timestamp: ago(0),
  });
  await paid(fixture, 120);
  second.socket.terminate();
});

/** The plain protocol, for message ids that the test chooses. */
async function raw({ url, identity, password }: { url: string; identity: string; password: string }) {
  const key = Buffer.concat([Buffer.from(`${identity}:`), Buffer.from(password, 'hex')]).toString('base64');
  const socket = new WebSocket(`${url}/${identity}`, ['ocpp1.6'], { headers: { authorization: `Basic ${key}` } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    socket,
    call: (id: string, action: string, payload: object) =>
      new Promise<unknown>((resolve) => {
        const hear = (data: Buffer) => {
          const [kind, of, answer] = JSON.parse(String(data));
          if (kind !== 3 || of !== id) return;
          socket.off('message', hear);
          resolve(answer);
        };
        socket.on('message', hear);
        socket.send(JSON.stringify([2, id, action, payload]));
      }),
  };
}

test('field problem 49: the old socket closes late: the charge goes on, and the stop goes to the new one', async () => {
  const fixture = await stack.startCharge();
  const back = await fixture.connect();
  await back.meter(1, fixture.transactionId, 1_100);
  await fixture.device.close();
  await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  expect(await back.asked('RemoteStopTransaction')).toEqual({ transactionId: fixture.transactionId });
  expect((await look(fixture.client, fixture.id)).is_online).toBe(true);
  await back.stop(fixture.transactionId, 1_130, { reason: 'Remote' });
  await paid(fixture, 130);
});

test('field problem 52: an hour of queued readings comes in one burst: none is refused, energy and money are exact', async () => {
  const fixture = await stack.startCharge('900');
  await fixture.device.close();
  stack.ahead({ hours: 1 });
  const back = await fixture.connect();
  const answers: Promise<unknown>[] = [];
  for (let sample = 1; sample <= 360; sample += 1) {
    answers.push(back.meter(1, fixture.transactionId, 1_000 + sample * 100, 36_000, ago((360 - sample) * 10)));
  }
  await Promise.all(answers);
  await back.stop(fixture.transactionId, 37_050, { reason: 'EVDisconnected' });
  await paid(fixture, 36_050);
}, 60_000);
