import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { requestRfidBind } from '@fpay/contract/rfid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardHolder } from '../rfid/card-holders.test-support.ts';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** After a reboot some chargers report the running charge again, with a new timestamp: it is still one charge. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;
const openTransactions = async (operation: number) =>
  world.db
    .selectFrom('ocpp_transactions')
    .select('id')
    .where('operation_id', '=', operation)
    .where('stopped_at', 'is', null)
    .execute();

/** A charge with 88 Wh on the meter whose charger has rebooted. */
async function rebooted() {
  const scene = await world.startCharge();
  await scene.device.meter(1, scene.transactionId, 1_088);
  await scene.device.close();
  return { ...scene, back: await scene.connect() };
}

test.each([
  ['the register of the first start', 1_000],
  ['the register of the moment', 1_090],
])(
  'an app charge that is reported again with %s goes on under the new id, and its energy counts once',
  async (_how, meterStart) => {
    const scene = await rebooted();
    const again = await scene.back.start(1, scene.idTag, meterStart);
    expect([again.transactionId === scene.transactionId, again.idTagInfo.status]).toEqual([false, 'Accepted']);
    await scene.back.meter(1, again.transactionId, 1_120);
    expect(await look(scene)).toMatchObject({ status: 'ongoing', energy: 120, total: 1_80 });
    // The driver's stop is for the id that the charger now knows.
    await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
    expect(await scene.back.asked('RemoteStopTransaction')).toEqual({ transactionId: again.transactionId });
    await scene.back.stop(again.transactionId, 1_137, { reason: 'Remote' });
    expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 137, total: 2_06 });
    expect(await balance(scene.client)).toBe(1000_00 - 2_06);
    expect(await openTransactions(scene.id)).toEqual([]);
    await world.checkBooks();
  },
);

test('readings and the stop of the old id that arrive late count for the same operation, and nothing counts twice', async () => {
  const scene = await rebooted();
  const again = await scene.back.start(1, scene.idTag, 1_100);
  // From the queue of before the reboot.
  await scene.back.meter(1, scene.transactionId, 1_095, 50_000, ago(2));
  await scene.back.stop(scene.transactionId, 1_100, { reason: 'PowerLoss', timestamp: ago(2) });
  expect(await look(scene)).toMatchObject({ status: 'ongoing', energy: 100 });
  await scene.back.meter(1, again.transactionId, 1_130);
  expect(await look(scene)).toMatchObject({ status: 'ongoing', energy: 130 });
  await scene.back.stop(again.transactionId, 1_150);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  // Sent once more, when all is over.
  await scene.back.stop(scene.transactionId, 1_100, { reason: 'PowerLoss', timestamp: ago(2) });
  expect(await look(scene)).toMatchObject({ status: 'finished', energy: 150, total: 2_25 });
  expect(await balance(scene.client)).toBe(1000_00 - 2_25);
  await world.checkBooks();
});

test('a charger that goes on with the old id after it reported the charge again is counted and ended by that id', async () => {
  const scene = await rebooted();
  await scene.back.start(1, scene.idTag, 1_000);
  await scene.back.meter(1, scene.transactionId, 1_120);
  expect(await look(scene)).toMatchObject({ status: 'ongoing', energy: 120 });
  await scene.back.stop(scene.transactionId, 1_140, { reason: 'Local' });
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 140, total: 2_10 });
  expect(await openTransactions(scene.id)).toEqual([]);
  await world.checkBooks();
});

test('energy that only the old id reported is billed when the stop of the new id has no reading of use', async () => {
  const scene = await rebooted();
  const again = await scene.back.start(1, scene.idTag, 1_000);
  await scene.back.meter(1, scene.transactionId, 1_120);
  await scene.back.stop(again.transactionId, 0);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 120, total: 1_80 });
  await world.checkBooks();
});

test('a charge whose stop was requested and that is reported again is asked to stop under its new id', async () => {
  const scene = await rebooted();
  await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
  await scene.back.asked('RemoteStopTransaction');
  const again = await scene.back.start(1, scene.idTag, 1_000);
  expect(again.idTagInfo.status).toBe('Accepted');
  expect(await scene.back.asked('RemoteStopTransaction', 1)).toEqual({ transactionId: again.transactionId });
  await scene.back.stop(again.transactionId, 1_100);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 100 });
});

test.each([
  ['below the first start', 400],
  ['higher than the connector could have delivered', 5_000],
])('a second start with a register %s is ConcurrentTx, is stopped and is never billed', async (_how, meterStart) => {
  const scene = await rebooted();
  const second = await scene.back.start(1, scene.idTag, meterStart);
  expect(second.idTagInfo.status).toBe('ConcurrentTx');
  expect(await scene.back.asked('RemoteStopTransaction')).toEqual({ transactionId: second.transactionId });
  await scene.back.stop(second.transactionId, meterStart + 200);
  expect(await look(scene)).toMatchObject({ status: 'ongoing', energy: 88 });
});

test('a card charge that is reported again after a reboot is one operation, and its energy counts once', async () => {
  const { client } = await cardHolder(world, 500_00);
  const station = await world.addScripted();
  await client.call(requestRfidBind, { body: { station_number: station.number } });
  await station.device.call('Authorize', { idTag: '04FEED0006' });
  const first = await station.device.start(1, '04FEED0006', 1_000);
  expect(first.idTagInfo.status).toBe('Accepted');
  await station.device.meter(1, first.transactionId, 1_085);
  await station.device.close();
  const back = await station.connect();
  const again = await back.start(1, '04FEED0006', 1_000);
  expect(again.idTagInfo.status).toBe('Accepted');
  await back.meter(1, again.transactionId, 1_200);
  const open = (await client.call(activeOperations)).body;
  expect(open).toMatchObject([{ energy: 200 }]);
  await back.stop(again.transactionId, 1_256, { idTag: '04FEED0006' });
  const id = open[0]?.id ?? 0;
  expect(await world.until(client, id, 'finished')).toMatchObject({ energy: 256, total: 3_84 });
  expect(await balance(client)).toBe(500_00 - 3_84);
  await world.checkBooks();
});
