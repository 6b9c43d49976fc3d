import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { requestRfidBind } from '@fpay/contract/rfid';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** What real charge points do wrong, each through a real socket to its money. docs/charging.md lists which row is proven where. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const look = async (client: Client, id: number) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

/** It ended with so much energy, cost exactly that, and the rest is back in the wallet. */
async function paid({ client, id }: { client: Client; id: number }, energy: number, wallet = 1000_00) {
  const total = Math.floor((energy * 15_00 + 500) / 1_000);
  const ended = await world.until(client, id, 'finished');
  expect(ended).toMatchObject({ energy, total, payment_status: 'success' });
  expect(await balance(client)).toBe(wallet - total);
  await world.checkBooks();
}

test('field problem 11: a StartTransaction sent again after a reconnect is the same charge, billed once', async () => {
  const scene = await world.askedToStart();
  const at = ago(5);
  const first = await scene.device.start(1, scene.idTag, 1_000, at);
  await scene.device.close();
  const back = await scene.connect();
  const again = await back.start(1, scene.idTag, 1_000, at);
  expect(again).toEqual(first);
  await back.stop(again.transactionId, 1_180);
  await paid(scene, 180);
});

test.each([
  [{ transactionId: 0 }],
  [{ transactionId: -1 }],
  [{}],
  [{ transactionId: '' }],
  [{ transactionId: 1_999_999_999 }],
])('field problem 14: MeterValues with %j count for the charge of that connector and are paid for', async (id) => {
  const scene = await world.startCharge();
  const sampledValue = [{ value: '1160', unit: 'Wh' }];
  const meterValue = [{ timestamp: ago(0), sampledValue }];
  expect(await scene.device.call('MeterValues', { connectorId: 1, ...id, meterValue })).toEqual({});
  // The stop tells no reading of use, so it is these that are billed.
  await scene.device.stop(scene.transactionId, 0);
  await paid(scene, 160);
});

test('field problems 13 and 15: a stop with id 0 and no tag ends the charge that runs, not one that was forgotten before', async () => {
  const forgotten = await world.startCharge();
  await forgotten.device.meter(1, forgotten.transactionId, 1_100);
  // Its driver stopped it, and that it did stop it never said.
  await forgotten.client.call(stopOperation, { params: { id: String(forgotten.id) } });
  await sql`update operations set status_at = now() - interval '11 minutes' where id = ${forgotten.id}`.execute(
    world.db,
  );
  await sql`update charge_points set online_changed_at = now() - interval '1 day'
    where identity = ${forgotten.identity}`.execute(world.db);
  await world.charging.watch();
  await paid(forgotten, 100);
  const { client } = await world.driver(1000_00);
  await forgotten.device.status(1, 'Preparing');
  const { body } = await world.pay(client, { connector: forgotten.connector, amount: '150' });
  const { idTag } = await forgotten.device.asked('RemoteStartTransaction', 1);
  await forgotten.device.start(1, String(idTag), 1_200);
  await forgotten.device.stop(0, 1_340);
  const ended = await world.until(client, Number(body.page_url.slice(2)), 'finished');
  expect(ended).toMatchObject({ energy: 140, total: 2_10 });
  expect(await balance(client)).toBe(1000_00 - 2_10);
  // The stop of the first comes after all: its own driver pays what it says, and nobody else.
  await forgotten.device.stop(forgotten.transactionId, 1_120);
  await paid(forgotten, 120);
  expect(await balance(client)).toBe(1000_00 - 2_10);
});

test('field problem 16: power fails in mid-charge; the stop that comes after the boot, hours old by its stamp, is what is paid', async () => {
  const scene = await world.startCharge();
  await scene.device.meter(1, scene.transactionId, 1_100);
  await scene.device.close();
  expect(await look(scene.client, scene.id)).toMatchObject({ status: 'ongoing', energy: 100 });
  const back = await scene.connect();
  await back.stop(scene.transactionId, 1_150, { reason: 'PowerLoss', timestamp: ago(3 * 3_600) });
  await paid(scene, 150);
});

test('field problem 18: a register that begins anew in mid-charge goes on being counted', async () => {
  const scene = await world.startCharge();
  await scene.device.meter(1, scene.transactionId, 1_120);
  await scene.device.meter(1, scene.transactionId, 30);
  await scene.device.stop(scene.transactionId, 60);
  await paid(scene, 180);
});

test('field problem 19: a register in kWh without a unit is found out and paid for as kWh', async () => {
  const scene = await world.startCharge('150', 1_000_000);
  const meterValue = [{ timestamp: ago(0), sampledValue: [{ value: '1000.150' }] }];
  await scene.device.call('MeterValues', { connectorId: 1, transactionId: scene.transactionId, meterValue });
  await scene.device.stop(scene.transactionId, 0);
  await paid(scene, 150);
});

test('field problem 26: a start that is accepted and never comes is asked for three times, then everything is returned', async () => {
  const scene = await world.askedToStart();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await scene.device.asked('RemoteStartTransaction', attempt - 1);
    await vi.waitFor(async () => expect(await phaseOf(scene.id)).toBe('accepted'), { timeout: 10_000 });
    // The device's own ConnectionTimeOut and the margin have passed.
    await sql`update operations set next_action_at = now() where id = ${scene.id}`.execute(world.db);
  }
  expect(await world.until(scene.client, scene.id, 'failed')).toMatchObject({ total: 0, payment_status: 'reversed' });
  expect(await balance(scene.client)).toBe(1000_00);
  await world.checkBooks();
}, 40_000);

async function phaseOf(id: number): Promise<string | null> {
  const query = world.db.selectFrom('operations').select('start_phase').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).start_phase;
}

test('field problem 29: a charge that some station forgot to end does not block the driver’s card elsewhere', async () => {
  const { client, id: user } = await world.signedIn('Support');
  const grant = { staff: await world.giver(), user, amount: 5000_00 as never, requestKey: `field:${user}` };
  await world.staffMoney.increase(grant);
  const [forgetful, other] = [await world.addScripted(), await world.addScripted()];
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
  expect(await world.until(client, here?.id ?? 0, 'finished')).toMatchObject({ energy: 200, total: 3_00 });
  await world.checkBooks();
});

test('field problem 30: a charge that an unknown card began offline is answered, ended and billed to nobody', async () => {
  const { device } = await world.addScripted();
  const before = await operations();
  const { transactionId, idTagInfo } = await device.start(1, '04DEAD0030', 1_000, ago(600));
  expect([transactionId > 0, idTagInfo.status]).toEqual([true, 'Invalid']);
  await device.meter(1, transactionId, 1_200);
  await device.stop(transactionId, 1_300, { idTag: '04DEAD0030' });
  expect(await operations()).toBe(before);
  await world.checkBooks();
});

async function operations(): Promise<number> {
  const { count } = await world.db
    .selectFrom('operations')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

test.each([
  ['without a tag', {}],
  ['by another tag', { idTag: '04AA000031' }],
])('field problem 31: a stop %s ends the charge and is paid for', async (_how, more) => {
  const scene = await world.startCharge();
  await scene.device.stop(scene.transactionId, 1_140, more);
  await paid(scene, 140);
});

test('field problem 35: readings after the stop revive nothing and cost nothing', async () => {
  const scene = await world.startCharge();
  await scene.device.stop(scene.transactionId, 1_140);
  await paid(scene, 140);
  await scene.device.meter(1, scene.transactionId, 1_900);
  await paid(scene, 140);
});

test('field problem 42: two connectors that start at once are two charges, each paid by its own driver', async () => {
  const station = await world.addScripted({ connectors: 2 });
  const drivers = await Promise.all([0, 1].map(() => world.driver(1000_00)));
  const scenes = [];
  for (const [index, { client }] of drivers.entries()) {
    const { body } = await world.pay(client, { connector: station.connectors[index] ?? 0, amount: '150' });
    scenes.push({ client, id: Number(body.page_url.slice(2)) });
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
  for (const [index, scene] of scenes.entries()) await paid(scene, index === 0 ? 110 : 170);
});

test('field problem 44: kWh, fractions and older readings are each taken for what they are, and the bill never falls', async () => {
  const scene = await world.startCharge();
  const tell = (value: string, unit: string, at: string) =>
    scene.device.call('MeterValues', {
      connectorId: 1,
      transactionId: scene.transactionId,
      meterValue: [{ timestamp: at, sampledValue: [{ value, unit }] }],
    });
  await tell('1.12', 'kWh', ago(0));
  await tell('1180.6', 'Wh', ago(0));
  await tell('1100', 'Wh', ago(30));
  await scene.device.stop(scene.transactionId, 0);
  await paid(scene, 181);
});

test('field problem 45: a start stamped 1970 is billed by its energy', async () => {
  const scene = await world.askedToStart();
  const { transactionId } = await scene.device.start(1, scene.idTag, 1_000, '1970-01-01T00:00:07Z');
  await scene.device.stop(transactionId, 1_150, { timestamp: '1970-01-01T00:05:00Z' });
  await paid(scene, 150);
  const { started_at } = await look(scene.client, scene.id);
  expect(Date.now() - Date.parse(started_at ?? '')).toBeLessThan(60_000);
});

test('field problem 48: message ids that begin again from 1 after a reboot get their own answers', async () => {
  const scene = await world.askedToStart();
  await scene.device.close();
  const first = await raw(scene);
  expect(await first.call('1', 'Heartbeat', {})).toEqual({ currentTime: expect.any(String) });
  first.socket.terminate();
  const second = await raw(scene);
  const start = { connectorId: 1, idTag: scene.idTag, meterStart: 1_000, timestamp: ago(0) };
  const answer = (await second.call('1', 'StartTransaction', start)) as { transactionId: number };
  expect(answer).toEqual({ transactionId: expect.any(Number), idTagInfo: { status: 'Accepted' } });
  await second.call('2', 'StopTransaction', {
    transactionId: answer.transactionId,
    meterStop: 1_120,
    timestamp: ago(0),
  });
  await paid(scene, 120);
  second.socket.terminate();
});

/** The bare protocol, for ids of the test's own choice. */
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
  const scene = await world.startCharge();
  const back = await scene.connect();
  await back.meter(1, scene.transactionId, 1_100);
  await scene.device.close();
  await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
  expect(await back.asked('RemoteStopTransaction')).toEqual({ transactionId: scene.transactionId });
  expect((await look(scene.client, scene.id)).is_online).toBe(true);
  await back.stop(scene.transactionId, 1_130, { reason: 'Remote' });
  await paid(scene, 130);
});

test('field problem 52: an hour of queued readings comes in one burst: none is refused, energy and money are exact', async () => {
  const scene = await world.startCharge('900');
  await scene.device.close();
  // The charge began an hour ago, and its socket was lost right then.
  await sql`update ocpp_transactions set started_at = started_at - interval '1 hour' where id = ${scene.transactionId}`.execute(
    world.db,
  );
  await sql`update charge_point_links set lost_at = now() - interval '1 hour' where charge_point_id =
    (select charge_point_id from operations where id = ${scene.id})`.execute(world.db);
  const back = await scene.connect();
  const answers: Promise<unknown>[] = [];
  for (let sample = 1; sample <= 360; sample += 1) {
    answers.push(back.meter(1, scene.transactionId, 1_000 + sample * 100, 36_000, ago((360 - sample) * 10)));
  }
  await Promise.all(answers);
  await back.stop(scene.transactionId, 37_050, { reason: 'EVDisconnected' });
  await paid(scene, 36_050);
}, 60_000);
