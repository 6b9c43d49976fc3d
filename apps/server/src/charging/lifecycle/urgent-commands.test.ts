import { stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScriptedDevice } from '../../testing/scripted-device.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const never = () => new Promise<never>(() => {});
const ignoredBy = async (id: number) => {
  const query = stack.db
    .selectFrom('charge_points')
    .innerJoin('operations', 'operations.charge_point_id', 'charge_points.id')
    .select('triggers_ignored')
    .where('operations.id', '=', id);
  return (await query.executeTakeFirstOrThrow()).triggers_ignored;
};
const asks = ({ commands }: { commands: { payload: Record<string, unknown> }[] }) =>
  commands.filter(({ payload }) => payload.requestedMessage === 'MeterValues').length;

test('the driver’s stop does not wait behind a TriggerMessage that gets no answer; after two of those the device gets no more before its next boot', async () => {
  // 500 Wh at 350 kW: the first reading is requested four seconds after the start.
  const fixture = await stack.startCharge('7.5', 1_000, { powerW: 350_000, price: 15_00 });
  const { device, client, id, transactionId } = fixture;
  device.replies.TriggerMessage = never;
  await vi.waitFor(() => expect(asks(device)).toBe(1), { timeout: 9_000, interval: 20 });
  const pressedAt = Date.now();
  await client.call(stopOperation, { params: { id: String(id) } });
  await device.asked('RemoteStopTransaction');
  expect(Date.now() - pressedAt).toBeLessThan(2_000);
  await device.stop(transactionId, 1_100);
  await vi.waitFor(async () => expect(await ignoredBy(id)).toBe(1), { timeout: 9_000 });

  await sql`update charge_points set triggers_ignored = 2 where id = (select charge_point_id from operations where id = ${id})`.execute(
    stack.db,
  );
  await device.status(1, 'Preparing');
  const { body } = await stack.pay(client, { connector: fixture.connector, amount: '3' });
  const second = Number(body.page_url.slice(2));
  const { idTag } = await device.asked('RemoteStartTransaction', 1);
  const started = await device.start(1, String(idTag), 1_100);
  await device.asked('RemoteStopTransaction', 1);
  expect(asks(device)).toBe(1);
  await device.stop(started.transactionId, 1_200);
  await stack.until(client, second, 'finished');

  await device.call('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'Scripted' });
  expect(await ignoredBy(id)).toBe(0);
}, 60_000);

test('no optional command is sent within 10 s of a planned stop', async () => {
  const { device, client, id, transactionId } = await stack.startCharge('3', 1_000, { powerW: 350_000, price: 15_00 });
  const { charge_point_id: chargePointId } = await stack.db
    .selectFrom('operations')
    .select('charge_point_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const clearing = stack.commands.send({ chargePointId, action: 'ClearCache', payload: {} });
  await device.asked('RemoteStopTransaction');
  const actions = device.commands.map(({ action }) => action);
  // After the stop it may follow at once.
  expect(actions.slice(0, actions.indexOf('RemoteStopTransaction'))).not.toContain('ClearCache');
  await device.stop(transactionId, 1_200);
  await stack.until(client, id, 'finished');
  expect(await clearing).toMatchObject({ status: 'answered' });
}, 40_000);

test('a device that never answers GetConfiguration does not delay the start', async () => {
  const station = await stack.addScripted();
  await station.device.close();
  const device = createScriptedDevice(station);
  device.replies.GetConfiguration = never;
  await device.connect();
  await device.asked('GetConfiguration');
  await device.status(1, 'Preparing');
  const { client } = await stack.driver(100_00);
  const paidAt = Date.now();
  await stack.pay(client, { connector: station.connector, amount: '50' });
  await device.asked('RemoteStartTransaction');
  expect(Date.now() - paidAt).toBeLessThan(5_000);
  await device.close();
}, 40_000);
