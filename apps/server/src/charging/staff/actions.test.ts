import { getUser } from '@fpay/contract/account';
import { cancelHold } from '@fpay/contract/admin/actions/cancel-hold';
import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { finalizePayment } from '@fpay/contract/admin/actions/finalize';
import { finishOperation } from '@fpay/contract/admin/actions/finish';
import { forceEnergy } from '@fpay/contract/admin/actions/force-energy';
import { forceHoldStatus } from '@fpay/contract/admin/actions/force-hold';
import { forceOperationStatus } from '@fpay/contract/admin/actions/force-status';
import { softCancel } from '@fpay/contract/admin/actions/soft-cancel';
import { softStart } from '@fpay/contract/admin/actions/soft-start';
import { stationCommand } from '@fpay/contract/admin/actions/station-command';
import type { Effect } from '@fpay/contract/admin/effect';
import { previewOperationAction } from '@fpay/contract/admin/operation-actions';
import { adminOperation } from '@fpay/contract/admin/operations';
import { activeOperations, operationLog } from '@fpay/contract/charging';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { addOperation } from '../../testing/operation.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Corrective actions on real charges: what the preview says is what happens, and the books agree after each. */
let stack: Stack;
let staff: { client: Client; id: number };
beforeAll(async () => {
  stack = await startStack();
  staff = await stack.signedIn('Operator');
});
afterAll(() => stack.close());

const params = (id: number) => ({ params: { id: String(id) } });
const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const preview = async (id: number, body: object): Promise<Effect> =>
  (await staff.client.call(previewOperationAction, { ...params(id), body: body as never })).body;
const view = async (id: number) => (await staff.client.call(adminOperation, params(id))).body;
const statusOf = async (id: number) => (await view(id)).status;
const force = (id: number, status: string) =>
  staff.client.call(forceOperationStatus, { ...params(id), body: { status: status as never, override: true } });

/** A charge from the balance that has delivered 100 Wh, worth 1.50 UAH of a deposit of 150 UAH. */
async function charging() {
  const charge = await stack.startCharge();
  await charge.device.meter(1, charge.transactionId, 1_100);
  await vi.waitFor(async () => expect((await view(charge.id)).energy).toBe(100), { timeout: 10_000 });
  return charge;
}

async function byCard() {
  const station = await stack.addScripted();
  const driver = await stack.driver();
  const { body } = await stack.pay(driver.client, {
    connector: station.connector,
    amount: '100',
    payment_type: 'card',
  });
  const id = (await driver.client.call(activeOperations)).body[0]?.id ?? 0;
  return { ...station, ...driver, id, userId: driver.id, pageUrl: body.page_url };
}

test('soft start sends the start again, only before power flows [ADM-OP-16] [API-76]', async () => {
  const { device, id } = await stack.askedToStart();
  expect(await preview(id, { action: 'soft_start' })).toMatchObject({
    is_allowed: true,
    command: 'RemoteStartTransaction',
    needs_approval: false,
  });
  expect((await staff.client.call(softStart, params(id))).body).toEqual({ status: 'starting', approval_id: null });
  expect(await device.asked('RemoteStartTransaction')).toMatchObject({ connectorId: 1 });
  const running = await charging();
  expect((await preview(running.id, { action: 'soft_start' })).refusal).toBe('action_not_applicable');
  expect((await staff.client.call(softStart, params(running.id))).status).toBe(409);
});

test('soft cancel returns the money of a charge without energy, and refuses one with energy [ADM-OP-18]', async () => {
  const { client, id } = await stack.askedToStart();
  expect(await preview(id, { action: 'soft_cancel' })).toMatchObject({
    operation: { from: 'starting', to: 'canceled' },
    payment: { from: 'hold', to: 'reversed' },
    money: [{ kind: 'return', amount: 150_00 }],
  });
  expect((await staff.client.call(softCancel, params(id))).body).toEqual({ status: 'canceled', approval_id: null });
  expect(await balance(client)).toBe(1000_00);
  const empty = await stack.startCharge();
  expect((await staff.client.call(softCancel, params(empty.id))).body).toEqual({
    status: 'canceled',
    approval_id: null,
  });
  expect(await empty.device.asked('RemoteStopTransaction')).toEqual({ transactionId: empty.transactionId });
  expect(await balance(empty.client)).toBe(1000_00);
  const delivered = await charging();
  expect((await staff.client.call(softCancel, params(delivered.id))).status).toBe(409);
  await stack.checkBooks();
});

test('soft cancel releases the hold of a card at the bank [ADM-OP-18]', async () => {
  const station = await stack.addScripted();
  const driver = await stack.driver();
  const { body } = await stack.pay(driver.client, {
    connector: station.connector,
    amount: '150',
    payment_type: 'card',
  });
  await stack.payAtBank(body.page_url);
  await station.device.asked('RemoteStartTransaction');
  expect((await stack.atBank(body.page_url)).status).toBe('hold');
  const id = (await driver.client.call(activeOperations)).body[0]?.id ?? 0;
  expect((await staff.client.call(softCancel, params(id))).body).toEqual({ status: 'canceled', approval_id: null });
  await vi.waitFor(async () => expect((await stack.atBank(body.page_url)).status).toBe('reversed'), {
    timeout: 15_000,
  });
  await stack.checkBooks();
});

test('finish settles on the last reading as if the station had stopped, and stops the station [ADM-OP-19] [API-73]', async () => {
  const { device, transactionId, client, id } = await charging();
  expect(await preview(id, { action: 'finish' })).toEqual({
    is_allowed: true,
    refusal: null,
    operation: { from: 'ongoing', to: 'finished' },
    payment: { from: 'hold', to: 'success' },
    energy: { from: 100, to: 100 },
    total: { from: 1_50, to: 1_50 },
    money: [
      { kind: 'capture', amount: 1_50 },
      { kind: 'return', amount: 148_50 },
    ],
    command: 'RemoteStopTransaction',
    needs_approval: false,
  });
  expect((await staff.client.call(finishOperation, params(id))).body).toEqual({
    status: 'finished',
    approval_id: null,
  });
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId });
  expect(await balance(client)).toBe(1000_00 - 1_50);
  expect((await staff.client.call(finishOperation, params(id))).status).toBe(409);
  await stack.checkBooks();
});

test('a forced end releases, settles or refunds the money, and all of it is on record [ADM-OP-13] [MACH-16] [API-70] [ADM-OP-27]', async () => {
  const failed = await charging();
  expect((await force(failed.id, 'failed')).body).toEqual({ status: 'failed', approval_id: null });
  expect(await balance(failed.client)).toBe(1000_00);
  const finished = await charging();
  expect((await force(finished.id, 'finished')).body).toEqual({ status: 'finished', approval_id: null });
  expect(await balance(finished.client)).toBe(1000_00 - 1_50);
  await stack.checkBooks();
  // The payment is final, so its refund is a part of the action, and the preview names the sum.
  const refund = [{ kind: 'return', amount: 1_50 }];
  expect((await preview(finished.id, { action: 'force_status', status: 'canceled' })).money).toEqual(refund);
  expect((await force(finished.id, 'canceled')).body).toEqual({ status: 'canceled', approval_id: null });
  expect(await balance(finished.client)).toBe(1000_00);
  expect(await force(finished.id, 'ongoing')).toMatchObject({ status: 409, body: { code: 'payment_final' } });
  expect((await force(finished.id, 'canceled')).status).toBe(409);
  await stack.checkBooks();
  expect((await force(finished.id, 'finished')).body).toEqual({ status: 'finished', approval_id: null });
  expect(await balance(finished.client)).toBe(1000_00 - 1_50);
  const log = String((await staff.client.call(operationLog, params(finished.id))).body);
  expect(log).toContain(`ongoing → finished: staff ${staff.id}: force-status`);
  const records = stack.db.selectFrom('audit').select(['action', 'before', 'after']);
  expect(
    await records.where('subject_id', '=', String(failed.id)).where('subject_kind', '=', 'operation').execute(),
  ).toEqual([
    {
      action: 'operation.force-status',
      before: { status: 'ongoing', energy: 100, total: 1_50 },
      after: { status: 'failed', energy: 100, total: 1_50 },
    },
  ]);
  await stack.checkBooks();
});

test('force needs override true and a status that exists', async () => {
  const { id } = await stack.askedToStart();
  const patch = (body: object) => staff.client.mutate('PATCH', `/api/admin/status/operation/${id}`, body);
  expect((await patch({ status: 'canceled' })).status).toBe(422);
  expect((await patch({ status: 'canceled', override: false })).status).toBe(422);
  expect((await patch({ status: 'gone', override: true })).status).toBe(422);
});

test('force energy sets the energy, and with update_total the total and the money [ADM-OP-23] [API-71]', async () => {
  const { client, id } = await charging();
  const set = (energy: number, update_total: boolean) =>
    staff.client.call(forceEnergy, { ...params(id), body: { energy: energy as never, update_total } });
  await staff.client.call(finishOperation, params(id));
  expect((await set(200, false)).body).toEqual({ energy: 200, total: 1_50, change: 0, approval_id: null });
  expect(await preview(id, { action: 'force_energy', energy: 60, update_total: true })).toMatchObject({
    total: { from: 1_50, to: 90 },
    money: [{ kind: 'return', amount: 60 }],
  });
  expect((await set(60, true)).body).toEqual({ energy: 60, total: 90, change: -60, approval_id: null });
  expect(await balance(client)).toBe(1000_00 - 90);
  expect((await set(400, true)).body).toEqual({ energy: 400, total: 6_00, change: 5_10, approval_id: null });
  expect(await balance(client)).toBe(1000_00 - 6_00);
  const waiting = await stack.askedToStart();
  const early = { ...params(waiting.id), body: { energy: 5 as never, update_total: true } };
  expect((await staff.client.call(forceEnergy, early)).status).toBe(409);
  await stack.checkBooks();
});

test('a card payment: finalize waits for the end, then captures; captured money goes back to the card [ADM-OP-20] [ADM-OP-21] [ADM-OP-22]', async () => {
  const { id, client, pageUrl, device } = await byCard();
  await stack.payAtBank(pageUrl);
  const { idTag } = await device.asked('RemoteStartTransaction');
  const { transactionId } = await device.start(1, String(idTag), 1_000);
  await stack.until(client, id, 'ongoing');
  expect((await preview(id, { action: 'finalize', amount: 50 })).refusal).toBe('operation_open');
  expect((await view(id)).actions).not.toContain('finalize');
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  const paymentId = String((await view(id)).payment_id);
  expect(await preview(id, { action: 'cancel_payment' })).toMatchObject({
    payment: { from: 'success', to: 'reversed' },
    money: [{ kind: 'refund', amount: 1_50 }],
  });
  const lower = { params: { paymentId }, body: { amount: 1_00 as never } };
  expect((await staff.client.call(finalizePayment, lower)).status).toBe(200);
  expect((await staff.client.call(cancelPayment, { params: { paymentId }, body: {} })).body.return_amount).toBe(1_50);
  expect((await staff.client.call(cancelHold, { params: { paymentId } })).status).toBe(409);
  await vi.waitFor(async () => expect((await view(id)).payment_total).toBe(0), { timeout: 20_000 });
  await stack.checkBooks();
}, 60_000);

test('a hold is released by cancel hold, and its status can be forced without moving money [ADM-OP-14] [ADM-OP-20]', async () => {
  const { id, pageUrl } = await byCard();
  await stack.payAtBank(pageUrl);
  await vi.waitFor(async () => expect((await view(id)).hold_status).toBe('hold'), { timeout: 20_000 });
  const paymentId = String((await view(id)).payment_id);
  expect(await preview(id, { action: 'cancel_hold' })).toMatchObject({ money: [{ kind: 'release', amount: 100_00 }] });
  expect((await staff.client.call(cancelHold, { params: { paymentId } })).status).toBe(200);
  await vi.waitFor(async () => expect((await stack.atBank(pageUrl)).status).toBe('reversed'), { timeout: 20_000 });
  // The bank's message may come after its own status; a fact that comes after the override would win.
  await vi.waitFor(async () => expect((await view(id)).hold_status).toBe('reversed'), { timeout: 20_000 });
  const forced = { params: { id: paymentId }, body: { status: 'failure' as const, override: true as const } };
  expect((await staff.client.call(forceHoldStatus, forced)).body).toEqual({ status: 'failure', approval_id: null });
  expect(await view(id)).toMatchObject({ hold_status: 'failure', is_overridden: true });
}, 60_000);

test('staff reset a station and stop its transaction, and see its own answer [ADM-OP-24] [ADM-OP-25] [API-77] [API-78]', async () => {
  const { device, id, transactionId } = await stack.startCharge();
  const { charge_point_id: chargePointId } = await view(id);
  const reset = staff.client.call(stationCommand, {
    body: { command: 'reset', payload: { chargePointId, resetType: 'Soft' } },
  });
  expect(await device.asked('Reset')).toEqual({ type: 'Soft' });
  expect((await reset).body).toEqual({ outcome: 'answered', status: 'Accepted' });
  const stop = staff.client.call(stationCommand, {
    body: { command: 'remotestoptransaction', payload: { chargePointId, transactionId } },
  });
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId });
  expect((await stop).body.outcome).toBe('answered');
  const foreign = { command: 'remotestoptransaction' as const, payload: { chargePointId, transactionId: 999_999 } };
  expect((await staff.client.call(stationCommand, { body: foreign })).status).toBe(404);
  // Not an id that any device could have.
  const tooLarge = { ...foreign, payload: { chargePointId, transactionId: 2 ** 31 } };
  expect((await staff.client.call(stationCommand, { body: tooLarge })).status).toBe(422);
  expect(await statusOf(id)).toBe('ongoing');
});

test('a charge is not forced to be unpaid while its driver has another one', async () => {
  const { id: driver } = await stack.driver();
  const ended = await addOperation(stack, driver, 'finished');
  await addOperation(stack, driver, 'created');
  const forced = { params: { id: String(ended) }, body: { status: 'created' as const, override: true as const } };
  const answer = await staff.client.call(forceOperationStatus, forced);
  expect([answer.status, answer.body.code]).toEqual([409, 'action_not_applicable']);
});

test('each role is offered the actions of its permissions', async () => {
  const { id } = await stack.startCharge();
  const offered = async (role: 'Analytic' | 'Support' | 'Operator') => {
    const { client } = await stack.signedIn(role);
    return (await client.call(adminOperation, params(id))).body.actions;
  };
  expect(await offered('Analytic')).toEqual([]);
  const support = ['force_status', 'soft_stop', 'soft_cancel', 'finish', 'force_energy', 'reset', 'remote_stop'];
  expect((await offered('Support')).toSorted()).toEqual(support.toSorted());
  expect((await offered('Operator')).toSorted()).toEqual([...support, 'force_hold', 'cancel_hold'].toSorted());
});
