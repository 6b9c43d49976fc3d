import { getUser } from '@fpay/contract/account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

/** A charger that reports everything in kWh, also the whole numbers of StartTransaction and StopTransaction. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test.each([
  ['101, below the last reading', ['100.25', '100.5', '101.106'], 101, 1_106],
  ['102, above the last reading', ['100.25', '101.9'], 102, 2_000],
])('a charger wholly in kWh that ends at %s is billed for all of it', async (_how, registers, meterStop, energy) => {
  const scene = await world.startCharge('150', 100, { powerW: 350_000 });
  for (const value of registers) {
    const sampledValue = [{ value, measurand: 'Energy.Active.Import.Register', unit: 'kWh' }];
    const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
    await scene.device.call('MeterValues', { connectorId: 1, transactionId: scene.transactionId, meterValue });
  }
  await scene.device.stop(scene.transactionId, meterStop);
  const ended = await world.until(scene.client, scene.id, 'finished');
  expect(ended).toMatchObject({ energy, total: (energy * 15_00) / 1_000 });
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - ended.total);
  await world.checkBooks();
});
