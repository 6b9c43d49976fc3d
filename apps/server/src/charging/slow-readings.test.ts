import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test('readings that come less often than configured are an anomaly for staff, and the interval is set again, once an hour', async () => {
  const { device, id, transactionId, client } = await world.startCharge();
  const chargePoint = world.db.selectFrom('operations').select('charge_point_id').where('id', '=', id);
  await world.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: '', values: { MeterValueSampleInterval: '10' } }) })
    .where('id', '=', chargePoint)
    .execute();
  const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const metered = (seconds: number) =>
    world.db
      .updateTable('operations')
      .set({ metered_at: past(seconds) })
      .where('id', '=', id)
      .execute();
  await world.db
    .updateTable('charge_point_links')
    .set({ connected_at: past(300) })
    .where('charge_point_id', '=', chargePoint)
    .execute();
  const asked = () => device.commands.filter(({ payload }) => payload.key === 'MeterValueSampleInterval').length;
  const before = asked();

  await metered(15);
  await world.charging.watch();
  expect(asked()).toBe(before);
  await metered(40);
  await world.charging.watch();
  await expect.poll(asked).toBe(before + 1);
  await world.charging.watch();
  const anomalies = await world.db
    .selectFrom('charge_point_anomalies')
    .select(['kind', 'subject', 'times'])
    .where('charge_point_id', '=', chargePoint)
    .where('kind', '=', 'slowReadings')
    .execute();
  expect(anomalies).toEqual([{ kind: 'slowReadings', subject: 'MeterValueSampleInterval', times: 1 }]);
  expect(asked()).toBe(before + 1);
  await device.stop(transactionId, 1_150);
  await world.until(client, id, 'finished');
});
