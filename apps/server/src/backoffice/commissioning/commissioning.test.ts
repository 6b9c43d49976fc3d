import {
  commissioningReport,
  finishCommissioning,
  getCommissioning,
  recordFault,
  startCommissioning,
} from '@fpay/contract/admin/network/commissioning';
import { commandDevice } from '@fpay/contract/admin/network/device-commands';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
let support: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  support = await stack.signedIn('Support');
});
afterAll(() => stack.close());

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 100 });

test('a technician runs the checklist: steps are done as the charger reports, a fault is recorded, and the result is a PDF', async () => {
  const station = await stack.addScripted();
  const point = await stack.db
    .selectFrom('charge_points')
    .select('id')
    .where('identity', '=', station.identity)
    .executeTakeFirstOrThrow();
  const params = { id: String(point.id) };
  expect((await support.client.call(getCommissioning, { params })).body).toBeNull();
  const { body: begun } = await support.client.call(startCommissioning, { params });
  const another = await stack.signedIn('Operator');
  expect((await another.client.call(startCommissioning, { params })).body.id).toBe(begun.id);
  const stateOf = async (check: string) =>
    (await support.client.call(getCommissioning, { params })).body?.steps.find((step) => step.check === check)?.state;
  expect(await stateOf('connected')).toBe('done');

  const ofThis = { id: String(begun.id) };
  expect((await support.client.call(finishCommissioning, { params: ofThis })).status).toBe(409);
  await station.device.status(1, 'Available');
  await station.device.status(1, 'Preparing');
  await until(async () => expect(await stateOf('plugged')).toBe('done'));
  station.device.replies.UnlockConnector = { status: 'Unlocked' };
  await support.client.call(commandDevice, { params, body: { action: 'UnlockConnector', connector: 1 } });
  await until(async () => expect(await stateOf('unlocked')).toBe('done'));

  const { body: now } = await support.client.call(getCommissioning, { params });
  for (const { check, connector, state } of now?.steps ?? []) {
    if (state === 'done') continue;
    const body = { check, connector, note: 'не видно' };
    expect((await support.client.call(recordFault, { params: ofThis, body })).status).toBe(200);
  }
  const unknown = { check: 'plugged', connector: 9, note: 'x' } as const;
  expect((await support.client.call(recordFault, { params: ofThis, body: unknown })).status).toBe(409);
  const early = await support.client.get(commissioningReport.path.replace(':id', ofThis.id));
  expect(early.status).toBe(409);
  const { body: finished } = await support.client.call(finishCommissioning, { params: ofThis });
  expect(finished.finished_at).not.toBeNull();
  expect(finished.steps.find(({ check }) => check === 'charged')).toMatchObject({ state: 'fault', note: 'не видно' });
  expect((await support.client.call(finishCommissioning, { params: ofThis })).status).toBe(409);

  const path = commissioningReport.path.replace(':id', ofThis.id);
  const pdf = await support.client.get(`${path}?language=pl`);
  expect(pdf.status).toBe(200);
  // A new one begins from nothing.
  const { body: next } = await support.client.call(startCommissioning, { params });
  expect(next.id).not.toBe(begun.id);
  expect(next.steps.find(({ check }) => check === 'plugged')?.state).not.toBe('done');
});

test.each([
  ['stands still', [1_000, 1_000, 1_000], false],
  ['grows', [1_050, 1_100, 1_150], true],
])('field problem 56: the readings of a meter that %s, as they are stored', async (_how, registers, isDone) => {
  const station = await stack.addScripted();
  const { id } = await stack.db
    .selectFrom('charge_points')
    .select('id')
    .where('identity', '=', station.identity)
    .executeTakeFirstOrThrow();
  const params = { id: String(id) };
  await support.client.call(startCommissioning, { params });
  const driver = await stack.driver(500_00);
  const { body } = await stack.pay(driver.client, { connector: station.connector, amount: '100' });
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 1_000);
  for (const register of registers) await station.device.meter(1, transactionId, register);
  await station.device.stop(transactionId, 1_150);
  await stack.until(driver.client, Number(body.page_url.slice(2)), 'finished');
  const metered = async () =>
    (await support.client.call(getCommissioning, { params })).body?.steps.find(({ check }) => check === 'metered');
  await until(async () => expect((await metered())?.seen).toMatch(/^[3-9] /));
  expect((await metered())?.state === 'done').toBe(isDone);
});
