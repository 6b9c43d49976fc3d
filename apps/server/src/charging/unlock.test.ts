import { unlockOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MovedStack, startMovedStack } from '../testing/stack.ts';

let stack: MovedStack;
beforeAll(async () => {
  stack = await startMovedStack();
});
afterAll(() => stack.close());

async function ended() {
  const fixture = await stack.startCharge();
  const open = await fixture.client.call(unlockOperation, { params: { id: String(fixture.id) } });
  expect([open.status, open.body.code]).toEqual([409, 'operation_open']);
  await fixture.device.stop(fixture.transactionId, 1_100);
  await stack.until(fixture.client, fixture.id, 'finished');
  return { ...fixture, unlock: () => fixture.client.call(unlockOperation, { params: { id: String(fixture.id) } }) };
}

test.each([
  ['Unlocked', 'unlocked'],
  ['UnlockFailed', 'failed'],
  ['NotSupported', 'not_supported'],
])(
  'a cable that stays locked after the end is unlocked on the driver’s request; the device’s %s is returned as it is',
  async (answer, status) => {
    const { device, unlock } = await ended();
    device.replies.UnlockConnector = { status: answer };
    expect((await unlock()).body).toEqual({ status });
    expect(await device.asked('UnlockConnector')).toEqual({ connectorId: 1 });
  },
);

test('no other user unlocks it, nor its driver half an hour later or when the next one has come', async () => {
  const fixture = await ended();
  const stranger = await stack.driver();
  const other = await stranger.client.call(unlockOperation, { params: { id: String(fixture.id) } });
  expect(other.status).toBe(404);
  stack.ahead({ minutes: 31 });
  expect((await fixture.unlock()).status).toBe(404);
  const following = await ended();
  const next = await stack.driver(100_00);
  await stack.pay(next.client, { connector: following.connector, amount: '50' });
  const late = await following.unlock();
  expect([late.status, late.body.code]).toEqual([409, 'connector_taken']);
  for (const { device } of [fixture, following])
    expect(device.commands.some(({ action }) => action === 'UnlockConnector')).toBe(false);
});

test('the unlock at a charge point that is away is refused as such', async () => {
  const fixture = await ended();
  await fixture.device.close();
  expect((await fixture.unlock()).body).toEqual({ status: 'offline' });
});
