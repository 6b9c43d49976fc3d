import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const place = { powerW: 350_000, price: 15_00 };
const stopsOf = (device: { commands: { action: string }[] }) =>
  device.commands.filter(({ action }) => action === 'RemoteStopTransaction').length;
const asksOf = (device: { commands: { action: string; payload: Record<string, unknown> }[] }) =>
  device.commands.filter(({ payload }) => payload.requestedMessage === 'MeterValues').length;
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

/** 200 Wh for 3 UAH take two seconds at 350 kW. */
const smallDeposit = '3';

test('a charge that never sends a reading is stopped when rated power could have delivered its limit, after a reading was requested', async () => {
  const { device, id } = await stack.startCharge(smallDeposit, 1_000, place);
  const startedAt = Date.now();
  await vi.waitFor(() => expect(stopsOf(device)).toBe(1), { timeout: 9_000, interval: 20 });
  const stoppedAfterMs = Date.now() - startedAt;
  // The limit takes 2.1 s at rated power; 5 s more are allowed.
  expect(stoppedAfterMs).toBeGreaterThan(2_000);
  expect(stoppedAfterMs).toBeLessThan(7_200);
  expect(asksOf(device)).toBe(1);
  const row = await stack.db
    .selectFrom('operations')
    .select(['stop_cause'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.stop_cause).toBe('limit');
});

test('a car that takes less than rated power is not stopped early, because the requested readings move the planned stop', async () => {
  const { device, transactionId } = await stack.startCharge(smallDeposit, 1_000, place);
  const startedAt = Date.now();
  const poweredW = 20_000;
  const energyWh = () => Math.round(((Date.now() - startedAt) * poweredW) / 3_600_000);
  device.replies.TriggerMessage = async () => {
    setTimeout(() => void device.meter(1, transactionId, 1_000 + energyWh(), poweredW), 200);
    return { status: 'Accepted' };
  };
  await seconds(12);
  expect(stopsOf(device)).toBe(0);
  expect(asksOf(device)).toBeGreaterThan(2);
  await device.stop(transactionId, 1_000 + energyWh());
});

test('power in a wrong unit stops nothing: 7,200 kW on a connector of 22 kW are ignored, and the register decides', async () => {
  const { device, transactionId, client, id } = await stack.startCharge('50', 1_000, { powerW: 22_000, price: 10_00 });
  await seconds(2);
  await device.meter(1, transactionId, 1_004, 7_200_000);
  await seconds(3);
  expect(stopsOf(device)).toBe(0);
  await stack.until(client, id, 'ongoing');
  const row = await stack.db.selectFrom('operations').select('power_w').where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.power_w ?? 0).toBeLessThan(22_000 * 1.2);
  await device.stop(transactionId, 1_010);
});
