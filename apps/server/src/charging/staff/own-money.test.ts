import { getUser } from '@fpay/contract/account';
import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { forceEnergy } from '@fpay/contract/admin/actions/force-energy';
import { forceHoldStatus } from '@fpay/contract/admin/actions/force-hold';
import { forceOperationStatus } from '@fpay/contract/admin/actions/force-status';
import { addPromotion } from '@fpay/contract/admin/network/promotions';
import { activeOperations } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { shareWallet } from '@fpay/contract/wallet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Members of staff who charge, and try to pay themselves. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const becomes = (id: number, role: Role) => stack.db.updateTable('users').set({ role }).where('id', '=', id).execute();
const refused = { status: 403, body: { code: 'own_money' } };

test('Support cannot set the energy of the own charge to zero and get its price back [ADM-OP-30]', async () => {
  const { client, userId, id, device, transactionId } = await stack.startCharge();
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  await becomes(userId, 'Support');
  const body = { energy: wattHours(0), update_total: true };
  expect(await client.call(forceEnergy, { params: { id: String(id) }, body })).toMatchObject(refused);
  expect(await balance(client)).toBe(1000_00 - 1_50);
});

test('Support cannot force the own running charge to canceled and drive for nothing [ADM-OP-30]', async () => {
  const { client, userId, id } = await stack.startCharge();
  await becomes(userId, 'Support');
  const body = { status: 'canceled' as const, override: true as const };
  expect(await client.call(forceOperationStatus, { params: { id: String(id) }, body })).toMatchObject(refused);
  await stack.until(client, id, 'ongoing');
});

test('Operator can neither refund nor force the payment of the own charge [ADM-OP-30]', async () => {
  const station = await stack.addScripted();
  const driver = await stack.driver();
  await stack.pay(driver.client, { connector: station.connector, amount: '100', payment_type: 'card' });
  const id = (await driver.client.call(activeOperations)).body[0]?.id ?? 0;
  const payment = await stack.payments.service.ofOperation(id);
  await becomes(driver.id, 'Operator');
  const byPayment = { params: { paymentId: String(payment?.id) } };
  expect(await driver.client.call(cancelPayment, { ...byPayment, body: {} })).toMatchObject(refused);
  const body = { status: 'success' as const, override: true as const };
  const forced = await driver.client.call(forceHoldStatus, { params: { id: String(payment?.id) }, body });
  expect(forced).toMatchObject(refused);
  expect((await stack.payments.service.ofOperation(id))?.holdStatus).toBe('created');
});

test('Admin cannot get into the wallet of a driver and pay from it [ADM-OP-30]', async () => {
  const rich = await stack.driver(500_00);
  const admin = await stack.signedIn('Admin');
  const body = { owner_id: rich.id, user_ids: [admin.id] };
  expect(await admin.client.call(shareWallet, { body })).toMatchObject(refused);
  expect(await balance(admin.client)).toBe(0);
});

test('who wrote a promotion gets no reward from it, and other drivers do [ADM-OP-30]', async () => {
  const own = await stack.askedToStart();
  const { station_id } = await stack.db
    .selectFrom('operations')
    .select('station_id')
    .where('id', '=', own.id)
    .executeTakeFirstOrThrow();
  const { number } = await stack.db
    .selectFrom('stations')
    .select('number')
    .where('id', '=', station_id)
    .executeTakeFirstOrThrow();
  await becomes(own.userId, 'Admin');
  const reward = { min_energy: wattHours(1), amount: kopecks(100_00) };
  const terms = { reward, budget_per_day: kopecks(500_00) };
  const body = { kind: 'reward' as const, code: 'bonus', station_number: number, days: null, ...terms };
  expect((await own.client.call(addPromotion, { body })).status).toBe(200);
  const { transactionId } = await own.device.start(1, own.idTag, 1_000);
  await own.device.stop(transactionId, 1_100);
  await stack.until(own.client, own.id, 'finished');
  expect(await balance(own.client)).toBe(1000_00 - 1_50);
  const lines = await stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', own.id).execute();
  expect(lines.map(({ text }) => text).join('\n')).toContain('no reward, because its author profits from it');

  const driver = await stack.driver(1000_00);
  await own.device.status(1, 'Available');
  await own.device.status(1, 'Preparing');
  const paid = await stack.pay(driver.client, { connector: own.connector, amount: '150' });
  const id = Number(paid.body.page_url.slice(2));
  const { idTag } = await own.device.asked('RemoteStartTransaction', 1);
  const started = await own.device.start(1, String(idTag), 2_000);
  await own.device.stop(started.transactionId, 2_100);
  await stack.until(driver.client, id, 'finished');
  // A reward returns at most what the charge earned.
  expect(await balance(driver.client)).toBe(1000_00);
});
