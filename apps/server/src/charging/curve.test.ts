import { powerCurve } from '@fpay/contract/power-curve';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test('the curve of a charge grows with its readings, is kept after its end and belongs to its driver', async () => {
  const charge = await stack.startCharge();
  const params = { id: String(charge.id) };
  const curve = async () => (await charge.client.call(powerCurve, { params })).body;
  expect(await curve()).toEqual({ began_at: null, seconds: [], power: [], soc_first: null, soc_last: null });

  await charge.device.meter(1, charge.transactionId, 1_100, 40_000);
  await charge.device.meter(1, charge.transactionId, 1_200, 47_300);
  // A reading without power is a point without a value, and the car reports its own state.
  await charge.device.call('MeterValues', {
    connectorId: 1,
    transactionId: charge.transactionId,
    meterValue: [
      {
        timestamp: new Date().toISOString(),
        sampledValue: [
          { value: '1300', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          { value: '64', measurand: 'SoC', unit: 'Percent' },
        ],
      },
    ],
  });
  const running = await curve();
  expect(running).toMatchObject({ power: [40_000, 47_300, null], soc_first: 64, soc_last: 64 });
  expect(running.seconds).toHaveLength(3);
  expect(running.seconds[0]).toBe(0);
  expect(Date.parse(running.began_at ?? '')).toBeGreaterThan(Date.now() - 60_000);

  for (const stranger of [await stack.driver(), await stack.driver(0, 'Guest')]) {
    const [theirs, none] = await Promise.all(
      [params, { id: '99999999' }].map((other) => stranger.client.call(powerCurve, { params: other })),
    );
    expect(theirs?.status).toBe(404);
    expect(theirs?.body).toEqual(none?.body);
  }

  await charge.device.stop(charge.transactionId, 1_300);
  await stack.until(charge.client, charge.id, 'finished');
  expect((await curve()).power.slice(0, 2)).toEqual([40_000, 47_300]);
  // The nightly job stores the curve; from then on the readings may go.
  const owner = new pg.Client({ connectionString: stack.database.ownerUrl });
  await owner.connect();
  await owner.query('select keep_operation_curves(array[$1]::bigint[])', [charge.id]);
  await owner.query(
    'delete from meter_samples where ocpp_transaction_id in (select id from ocpp_transactions where operation_id = $1)',
    [charge.id],
  );
  await owner.end();
  const kept = await curve();
  expect(kept.power.slice(0, 2)).toEqual([40_000, 47_300]);
  expect(kept).toMatchObject({ began_at: running.began_at, soc_first: null, soc_last: null });
});
