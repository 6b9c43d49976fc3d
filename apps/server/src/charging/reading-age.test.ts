import { getOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

type Charge = Awaited<ReturnType<Stack['startCharge']>>;
const look = async ({ client, id }: Charge) => (await client.call(getOperation, { params: { id: String(id) } })).body;

async function configure(charge: Charge, values: Record<string, string>) {
  const chargePoint = stack.db.selectFrom('operations').select('charge_point_id').where('id', '=', charge.id);
  await stack.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: '', values }) })
    .where('id', '=', chargePoint)
    .execute();
}

test('an operation has the two limits of its device’s sample interval, and the server’s time; a lost socket is away at once [STN-24]', async () => {
  const charge = await stack.startCharge();
  await configure(charge, {});
  expect(await look(charge)).toMatchObject({ stale_after: 150, silent_after: 300 });
  await configure(charge, { MeterValueSampleInterval: 'no number' });
  expect(await look(charge)).toMatchObject({ stale_after: 150, silent_after: 300 });
  await configure(charge, { MeterValueSampleInterval: '30' });
  const before = Date.now();
  const seen = await look(charge);
  expect(seen).toMatchObject({ stale_after: 75, silent_after: 150, is_online: true });
  expect(Date.parse(seen.server_time)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(seen.server_time)).toBeLessThanOrEqual(Date.now());

  await charge.device.close();
  await expect.poll(async () => (await look(charge)).is_online).toBe(false);
});
