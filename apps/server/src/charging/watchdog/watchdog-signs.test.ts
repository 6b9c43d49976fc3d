import { getUser } from '@fpay/contract/account';
import { stopOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

/** What the watchdogs accept as a sign that a charge has ended, and what they do not. */
let stack: MovedStack;
let charges: ReturnType<typeof createWatchedCharges>;
beforeAll(async () => {
  stack = await startMovedStack();
  charges = createWatchedCharges(stack);
});
afterAll(() => stack.close());

const rowOf = (id: number) =>
  stack.db.selectFrom('operations').select(['status', 'stop_cause']).where('id', '=', id).executeTakeFirstOrThrow();

test('a station whose clock is hours slow is not silent while it reports', async () => {
  const asked = await stack.askedToStart('450');
  const hoursAgo = () => new Date(stack.clock.now().getTime() - 5 * 3_600_000).toISOString();
  const { transactionId } = await asked.device.start(1, asked.idTag, 1_000, hoursAgo());
  await stack.charging.watch();
  expect(await rowOf(asked.id)).toEqual({ status: 'ongoing', stop_cause: null });
  stack.ahead({ minutes: 20 });
  await asked.device.meter(1, transactionId, 1_100, 50_000, hoursAgo());
  await stack.charging.watch();
  expect(await rowOf(asked.id)).toEqual({ status: 'ongoing', stop_cause: null });
});

test('a stop that the driver requested and the station never confirmed is settled, and the driver stays its cause', async () => {
  const fixture = await charges.charging();
  await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  await fixture.device.asked('RemoteStopTransaction');
  stack.ahead({ minutes: 11 });
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'finished', stop_cause: 'driver' });
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
});

test('a free connector is a sign of the end however often the station repeats that it is free', async () => {
  const fixture = await charges.charging();
  await fixture.device.status(1, 'Available');
  stack.ahead({ minutes: 11 });
  await fixture.device.status(1, 'Available');
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'finished', stop_cause: 'watchdog' });
});

/**
 * A station without a charge reads its meter too, on its own or when we ask, and sends no transaction id then. The first of
 * two readings came eleven minutes ago, after the connector became free.
 */
async function readIdleMeter({ device }: Awaited<ReturnType<typeof charges.charging>>, secondWh: number) {
  await device.status(1, 'Available');
  const reading = (energyWh: number, powerW: number) =>
    device.call('MeterValues', {
      connectorId: 1,
      meterValue: [
        {
          timestamp: stack.clock.now().toISOString(),
          sampledValue: [
            { value: String(energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh', context: 'Trigger' },
            { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W', context: 'Trigger' },
          ],
        },
      ],
    });
  await reading(1_150, 0);
  stack.ahead({ minutes: 11 });
  await reading(secondWh, secondWh > 1_150 ? 7_000 : 0);
}

test('field problem 15: readings of the idle meter of a free connector are no charge: closed on the last reading', async () => {
  const fixture = await charges.charging();
  await readIdleMeter(fixture, 1_150);
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'finished', stop_cause: 'watchdog' });
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 2_25);
  await stack.checkBooks();
});

test('a connector that says it is free while energy flows is charging', async () => {
  const fixture = await charges.charging();
  await readIdleMeter(fixture, 1_400);
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'ongoing', stop_cause: null });
});
