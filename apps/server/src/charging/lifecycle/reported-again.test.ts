import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { requestRfidBind } from '@fpay/contract/rfid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardUser } from '../../rfid/testing/card-users.ts';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** After a reboot some chargers report the running charge again, with a new timestamp: it is still one charge. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;
const openTransactions = async (operation: number) =>
  stack.db
    .selectFrom('ocpp_transactions')
    .select('id')
    .where('operation_id', '=', operation)
    .where('stopped_at', 'is', null)
    .execute();

/** A charge with 88 Wh on the meter whose charger has rebooted. */
async function rebooted() {
  const fixture = await stack.startCharge();
  await fixture.device.meter(1, fixture.transactionId, 1_088);
  await fixture.device.close();
  return { ...fixture, back: await fixture.connect() };
}

test.each([
  ['the register of the first start', 1_000],
  ['the register of the moment', 1_090],
])(
  'an app charge that is reported again with %s goes on under the new id, and its energy counts once',
  async (_how, meterStart) => {
    const fixture = await rebooted();
    const again = await fixture.back.start(1, fixture.idTag, meterStart);
    expect([again.transactionId === fixture.transactionId, again.idTagInfo.status]).toEqual([false, 'Accepted']);
    await fixture.back.meter(1, again.transactionId, 1_120);
    expect(await look(fixture)).toMatchObject({ status: 'ongoing', energy: 120, total: 1_80 });
    // The driver's stop is for the id that the charger now knows.
    await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
    expect(await fixture.back.asked('RemoteStopTransaction')).toEqual({ transactionId: again.transactionId });
    await fixture.back.stop(again.transactionId, 1_137, { reason: 'Remote' });
    expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 137, total: 2_06 });
    expect(await balance(fixture.client)).toBe(1000_00 - 2_06);
    expect(await openTransactions(fixture.id)).toEqual([]);
    await stack.checkBooks();
  },
);

test('readings and the stop of the old id that arrive late count for the same operation, and nothing counts twice', async () => {
  const fixture = await rebooted();
  const again = await fixture.back.start(1, fixture.idTag, 1_100);
  // Queued before the reboot.
  await fixture.back.meter(1, fixture.transactionId, 1_095, 50_000, ago(2));
  await fixture.back.stop(fixture.transactionId, 1_100, { reason: 'PowerLoss', timestamp: ago(2) });
  expect(await look(fixture)).toMatchObject({ status: 'ongoing', energy: 100 });
  await fixture.back.meter(1, again.transactionId, 1_130);
  expect(await look(fixture)).toMatchObject({ status: 'ongoing', energy: 130 });
  await fixture.back.stop(again.transactionId, 1_150);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  // Sent once more after the end.
  await fixture.back.stop(fixture.transactionId, 1_100, { reason: 'PowerLoss', timestamp: ago(2) });
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 150, total: 2_25 });
  expect(await balance(fixture.client)).toBe(1000_00 - 2_25);
  await stack.checkBooks();
});

test('a charger that goes on with the old id after it reported the charge again is counted and ended by that id', async () => {
  const fixture = await rebooted();
  await fixture.back.start(1, fixture.idTag, 1_000);
  await fixture.back.meter(1, fixture.transactionId, 1_120);
  expect(await look(fixture)).toMatchObject({ status: 'ongoing', energy: 120 });
  await fixture.back.stop(fixture.transactionId, 1_140, { reason: 'Local' });
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 140, total: 2_10 });
  expect(await openTransactions(fixture.id)).toEqual([]);
  await stack.checkBooks();
});

test('energy that only the old id reported is billed when the stop of the new id has no usable reading', async () => {
  const fixture = await rebooted();
  const again = await fixture.back.start(1, fixture.idTag, 1_000);
  await fixture.back.meter(1, fixture.transactionId, 1_120);
  await fixture.back.stop(again.transactionId, 0);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 120, total: 1_80 });
  await stack.checkBooks();
});

test('a charge whose stop was requested and that is reported again gets the stop under its new id', async () => {
  const fixture = await rebooted();
  await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  await fixture.back.asked('RemoteStopTransaction');
  const again = await fixture.back.start(1, fixture.idTag, 1_000);
  expect(again.idTagInfo.status).toBe('Accepted');
  expect(await fixture.back.asked('RemoteStopTransaction', 1)).toEqual({ transactionId: again.transactionId });
  await fixture.back.stop(again.transactionId, 1_100);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 100 });
});

test.each([
  ['below the first start', 400],
  ['higher than the connector could have delivered', 5_000],
])('a second start with a register %s is ConcurrentTx, is stopped and is never billed', async (_how, meterStart) => {
  const fixture = await rebooted();
  const second = await fixture.back.start(1, fixture.idTag, meterStart);
  expect(second.idTagInfo.status).toBe('ConcurrentTx');
  expect(await fixture.back.asked('RemoteStopTransaction')).toEqual({ transactionId: second.transactionId });
  await fixture.back.stop(second.transactionId, meterStart + 200);
  expect(await look(fixture)).toMatchObject({ status: 'ongoing', energy: 88 });
});

test('a card charge that is reported again after a reboot is one operation, and its energy counts once', async () => {
  const { client } = await cardUser(stack, 500_00);
  const station = await stack.addScripted();
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
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 256, total: 3_84 });
  expect(await balance(client)).toBe(500_00 - 3_84);
  await stack.checkBooks();
});
