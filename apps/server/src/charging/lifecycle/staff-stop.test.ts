import { getUser } from '@fpay/contract/account';
import { softStop } from '@fpay/contract/admin/actions/soft-stop';
import { activeOperations, operationLog } from '@fpay/contract/charging';
import { userLog } from '@fpay/contract/profile';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Staff end what a driver cannot, in every status. */
let stack: Stack;
let staff: { client: Client; id: number };
beforeAll(async () => {
  stack = await startStack();
  staff = await stack.signedIn('Support');
});
afterAll(() => stack.close());

const stop = (id: number) => staff.client.call(softStop, { params: { id: String(id) } });
const balance = async (client: Client) => (await client.call(getUser)).body.balance;

test('staff stop a charge: the stop is sent to the station, its StopTransaction ends the charge, and the staff member is recorded [MACH-12] [ADM-OP-17]', async () => {
  const { device, transactionId, client, id } = await stack.startCharge();
  expect((await stop(id)).body).toEqual({ status: 'finishing', approval_id: null });
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId });
  await device.stop(transactionId, 1_100, { reason: 'Remote' });
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 100, total: 1_50, stop_requested: true });
  expect(await balance(client)).toBe(1000_00 - 1_50);
  const row = stack.db.selectFrom('operations').select('stop_cause').where('id', '=', id);
  expect(await row.executeTakeFirstOrThrow()).toEqual({ stop_cause: 'staff' });
  const log = String((await staff.client.call(operationLog, { params: { id: String(id) } })).body);
  expect(log).toContain(`staff: ongoing → finishing: staff ${staff.id} asked for the end`);
  const record = stack.db
    .selectFrom('audit')
    .selectAll()
    .where('subject_kind', '=', 'operation')
    .where('subject_id', '=', String(id))
    .where('action', 'not like', 'read.%');
  expect(await record.execute()).toMatchObject([
    { staff_id: staff.id, action: 'operation.stop', before: { status: 'ongoing' }, after: { status: 'finishing' } },
  ]);
  await stack.checkBooks();
});

test('the log of a driver contains their charges too [API-60]', async () => {
  const { device, transactionId, client, id, userId } = await stack.startCharge();
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  const log = String((await staff.client.call(userLog, { params: { id: String(userId) } })).body);
  const lines = log.split('\n').flatMap((line) => line.split(`operation ${id}, `)[1] ?? []);
  expect(lines).toEqual([
    expect.stringMatching(/^driver: opened at F\d+, deposit 15000$/),
    'bank: created → pending: the deposit is secured',
    'system: pending → starting: asked the station to start',
    `station: starting → ongoing: transaction ${transactionId} started`,
    'station: ongoing → pending_final_payment: stopped by station (Local) at 100 Wh, total 150',
    'system: pending_final_payment → finished: paid',
  ]);
});

test('staff stop an operation that has not begun: canceled, everything returned; a start that comes after all is stopped [MACH-08]', async () => {
  const { device, client, id, idTag } = await stack.askedToStart();
  expect((await stop(id)).body).toEqual({ status: 'canceled', approval_id: null });
  expect(await balance(client)).toBe(1000_00);
  const late = await device.start(1, idTag, 1_000);
  expect(late.idTagInfo.status).toBe('Invalid');
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId: late.transactionId });
  await stack.checkBooks();
});

test('staff stop an operation that is not paid yet: canceled, and the bank’s page accepts no money any more [MACH-06]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const { body } = await stack.pay(client, { connector: station.connector, amount: '100', payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  expect((await stop(id)).body).toEqual({ status: 'canceled', approval_id: null });
  await vi.waitFor(async () => expect((await stack.atBank(body.page_url)).status).toBe('expired'), { timeout: 20_000 });
});

test('an ended operation stays as it is; an unknown one is 404; drivers have no such call', async () => {
  const { device, transactionId, client, id } = await stack.startCharge();
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  expect((await stop(id)).body).toEqual({ status: 'finished', approval_id: null });
  expect((await stop(999_999)).status).toBe(404);
  expect((await client.call(softStop, { params: { id: String(id) } })).status).toBe(403);
});
