import { getUser } from '@fpay/contract/account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** A charger that reports everything in kWh, also the whole numbers of StartTransaction and StopTransaction. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test.each([
  ['101, below the last reading', ['100.25', '100.5', '101.106'], 101, 1_106],
  ['102, above the last reading', ['100.25', '101.9'], 102, 2_000],
])(
  'a charger that uses only kWh and ends at %s is billed for all of it',
  async (_how, registers, meterStop, energy) => {
    const fixture = await stack.startCharge('150', 100, { powerW: 350_000 });
    for (const value of registers) {
      const sampledValue = [{ value, measurand: 'Energy.Active.Import.Register', unit: 'kWh' }];
      const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
      await fixture.device.call('MeterValues', { connectorId: 1, transactionId: fixture.transactionId, meterValue });
    }
    await fixture.device.stop(fixture.transactionId, meterStop);
    const ended = await stack.until(fixture.client, fixture.id, 'finished');
    expect(ended).toMatchObject({ energy, total: (energy * 15_00) / 1_000 });
    expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - ended.total);
    await stack.checkBooks();
  },
);
