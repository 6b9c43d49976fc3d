import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';

let stack: MovedStack;
beforeAll(async () => {
  stack = await startMovedStack();
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
  const asked = () => device.commands.filter(({ payload }) => payload.key === 'MeterValueSampleInterval').length;
  const before = asked();

  stack.ahead({ minutes: 5 });
  await device.meter(1, transactionId, 1_100);
  stack.ahead({ seconds: 15 });
  await stack.charging.watch();
  expect(asked()).toBe(before);
  stack.ahead({ seconds: 25 });
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
