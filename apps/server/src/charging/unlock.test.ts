import { unlockOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function ended() {
  const scene = await world.startCharge();
  const open = await scene.client.call(unlockOperation, { params: { id: String(scene.id) } });
  expect([open.status, open.body.code]).toEqual([409, 'operation_open']);
  await scene.device.stop(scene.transactionId, 1_100);
  await world.until(scene.client, scene.id, 'finished');
  return { ...scene, unlock: () => scene.client.call(unlockOperation, { params: { id: String(scene.id) } }) };
}

test.each([
  ['Unlocked', 'unlocked'],
  ['UnlockFailed', 'failed'],
  ['NotSupported', 'not_supported'],
])(
  'a cable that stays locked after the end is let go on the driver’s wish; the device’s %s is told as it is',
  async (answer, status) => {
    const { device, unlock } = await ended();
    device.replies.UnlockConnector = { status: answer };
    expect((await unlock()).body).toEqual({ status });
    expect(await device.asked('UnlockConnector')).toEqual({ connectorId: 1 });
  },
);

test('nobody else unlocks it, nor its driver half an hour later or when the next one has come', async () => {
  const scene = await ended();
  const stranger = await world.driver();
  const other = await stranger.client.call(unlockOperation, { params: { id: String(scene.id) } });
  expect(other.status).toBe(404);
  await sql`update operations set finished_at = now() - interval '31 minutes' where id = ${scene.id}`.execute(world.db);
  expect((await scene.unlock()).status).toBe(404);
  await sql`update operations set finished_at = now() where id = ${scene.id}`.execute(world.db);
  const next = await world.driver(100_00);
  await world.pay(next.client, { connector: scene.connector, amount: '50' });
  const late = await scene.unlock();
  expect([late.status, late.body.code]).toEqual([409, 'connector_taken']);
  expect(scene.device.commands.some(({ action }) => action === 'UnlockConnector')).toBe(false);
});

test('a charge point that is away says so', async () => {
  const scene = await ended();
  await scene.device.close();
  expect((await scene.unlock()).body).toEqual({ status: 'offline' });
});
