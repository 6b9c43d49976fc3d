import { getUser } from '@fpay/contract/account';
import { activeOperations, operationLog, softStop } from '@fpay/contract/charging';
import { userLog } from '@fpay/contract/profile';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** Staff end what a driver cannot, in every state it may be in. */
let world: World;
let staff: { client: Client; id: number };
beforeAll(async () => {
  world = await startWorld();
  staff = await world.signedIn('Support');
});
afterAll(() => world.close());

const stop = (id: number) => staff.client.call(softStop, { params: { id: String(id) } });
const balance = async (client: Client) => (await client.call(getUser)).body.balance;

test('staff stop a charge: the station is asked, its StopTransaction ends it, and who did it is on record [MACH-12]', async () => {
  const { device, transactionId, client, id } = await world.startCharge();
  expect((await stop(id)).body).toEqual({ status: 'finishing' });
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId });
  await device.stop(transactionId, 1_100, { reason: 'Remote' });
  expect(await world.until(client, id, 'finished')).toMatchObject({ energy: 100, total: 1_50, stop_requested: true });
  expect(await balance(client)).toBe(1000_00 - 1_50);
  const row = world.db.selectFrom('operations').select('stop_cause').where('id', '=', id);
  expect(await row.executeTakeFirstOrThrow()).toEqual({ stop_cause: 'staff' });
  const log = String((await staff.client.call(operationLog, { params: { id: String(id) } })).body);
  expect(log).toContain(`staff: ongoing → finishing: staff ${staff.id} asked for the end`);
  const record = world.db.selectFrom('audit').selectAll().where('subject_id', '=', String(id));
  expect(await record.execute()).toMatchObject([
    { staff_id: staff.id, action: 'operation.stop', before: { status: 'ongoing' }, after: { status: 'finishing' } },
  ]);
  await world.checkBooks();
});

test('the log of a driver tells of their charges too [API-60]', async () => {
  const { device, transactionId, client, id, userId } = await world.startCharge();
  await device.stop(transactionId, 1_100);
  await world.until(client, id, 'finished');
  const log = String((await staff.client.call(userLog, { params: { id: String(userId) } })).body);
  const story = log.split('\n').flatMap((line) => line.split(`operation ${id}, `)[1] ?? []);
  expect(story).toEqual([
    expect.stringMatching(/^driver: opened at F\d+, deposit 15000$/),
    'bank: created → pending: the deposit is secured',
    'system: pending → starting: asked the station to start',
    `station: starting → ongoing: transaction ${transactionId} started`,
    'station: ongoing → pending_final_payment: stopped by station (Local) at 100 Wh, total 150',
    'system: pending_final_payment → finished: paid',
  ]);
});

test('staff stop what has not begun: canceled, everything returned; a start that comes after all is stopped [MACH-08]', async () => {
  const { device, client, id, idTag } = await world.askedToStart();
  expect((await stop(id)).body).toEqual({ status: 'canceled' });
  expect(await balance(client)).toBe(1000_00);
  const late = await device.start(1, idTag, 1_000);
  expect(late.idTagInfo.status).toBe('Invalid');
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId: late.transactionId });
  await world.checkBooks();
});

test('staff stop what is not paid yet: canceled, and the bank’s page takes no money any more [MACH-06]', async () => {
  const station = await world.addScripted();
  const { client } = await world.driver();
  const { body } = await world.pay(client, { connector: station.connector, amount: '100', payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  expect((await stop(id)).body).toEqual({ status: 'canceled' });
  await vi.waitFor(async () => expect((await world.atBank(body.page_url)).status).toBe('expired'), { timeout: 20_000 });
});

test('what has ended stays as it is; what there is not is 404; drivers have no such call', async () => {
  const { device, transactionId, client, id } = await world.startCharge();
  await device.stop(transactionId, 1_100);
  await world.until(client, id, 'finished');
  expect((await stop(id)).body).toEqual({ status: 'finished' });
  expect((await stop(999_999)).status).toBe(404);
  expect((await client.call(softStop, { params: { id: String(id) } })).status).toBe(403);
});
