import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test('readings that come less often than configured are an anomaly for staff, and the interval is set again, once an hour', async () => {
  const { device, id, transactionId, client } = await stack.startCharge();
  const chargePoint = stack.db.selectFrom('operations').select('charge_point_id').where('id', '=', id);
  await stack.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: '', values: { MeterValueSampleInterval: '10' } }) })
    .where('id', '=', chargePoint)
    .execute();
  const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const metered = (seconds: number) =>
    stack.db
      .updateTable('operations')
      .set({ metered_at: past(seconds) })
      .where('id', '=', id)
      .execute();
  await stack.db
    .updateTable('charge_point_links')
    .set({ connected_at: past(300) })
    .where('charge_point_id', '=', chargePoint)
    .execute();
  const asked = () => device.commands.filter(({ payload }) => payload.key === 'MeterValueSampleInterval').length;
  const before = asked();

  await metered(15);
  await stack.charging.watch();
  expect(asked()).toBe(before);
  await metered(40);
  await stack.charging.watch();
  await expect.poll(asked).toBe(before + 1);
  await stack.charging.watch();
  const anomalies = await stack.db
    .selectFrom('charge_point_anomalies')
    .select(['kind', 'subject', 'times'])
    .where('charge_point_id', '=', chargePoint)
    .where('kind', '=', 'slowReadings')
    .execute();
  expect(anomalies).toEqual([{ kind: 'slowReadings', subject: 'MeterValueSampleInterval', times: 1 }]);
  expect(asked()).toBe(before + 1);
  await device.stop(transactionId, 1_150);
  await stack.until(client, id, 'finished');
});
