import { getUser } from '@fpay/contract/account';
import { stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** What the watchdogs accept as a sign that a charge has ended, and what they do not. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

/** Its station has not been away recently. */
const hereForLong = (id: number) =>
  sql`update charge_points set online_changed_at = now() - interval '1 day'
    where id = (select charge_point_id from operations where id = ${id})`.execute(stack.db);

/** A running charge with 100 Wh on the meter; a reading is written before it is answered. */
async function charging() {
  const fixture = await stack.startCharge();
  await fixture.device.meter(1, fixture.transactionId, 1_100);
  await hereForLong(fixture.id);
  return fixture;
}

const rowOf = (id: number) =>
  stack.db.selectFrom('operations').select(['status', 'stop_cause']).where('id', '=', id).executeTakeFirstOrThrow();

test('a station whose clock is hours slow is not silent while it reports', async () => {
  const asked = await stack.askedToStart();
  const hoursAgo = () => new Date(Date.now() - 5 * 3_600_000).toISOString();
  const { transactionId } = await asked.device.start(1, asked.idTag, 1_000, hoursAgo());
  await hereForLong(asked.id);
  await stack.charging.watch();
  expect(await rowOf(asked.id)).toEqual({ status: 'ongoing', stop_cause: null });
  await asked.device.meter(1, transactionId, 1_100, 50_000, hoursAgo());
  await sql`update operations set status_at = now() - interval '20 minutes' where id = ${asked.id}`.execute(stack.db);
  await stack.charging.watch();
  expect(await rowOf(asked.id)).toEqual({ status: 'ongoing', stop_cause: null });
});

test('a stop that the driver requested and the station never confirmed is settled, and the driver stays its cause', async () => {
  const fixture = await charging();
  await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  await fixture.device.asked('RemoteStopTransaction');
  await sql`update operations set status_at = now() - interval '11 minutes' where id = ${fixture.id}`.execute(stack.db);
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'finished', stop_cause: 'driver' });
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
});

test('a free connector is a sign of the end however often the station repeats that it is free', async () => {
  const fixture = await charging();
  await fixture.device.status(1, 'Available');
  await sql`update connectors set status_at = now() - interval '11 minutes' where id = ${fixture.connector}`.execute(
    stack.db,
  );
  await sql`update operations set last_sample_at = now() - interval '12 minutes', status_at = now() - interval '13 minutes' where id = ${fixture.id}`.execute(
    stack.db,
  );
  await sql`update meter_samples set received_at = now() - interval '12 minutes'
    where ocpp_transaction_id = ${fixture.transactionId}`.execute(stack.db);
  await fixture.device.status(1, 'Available');
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'finished', stop_cause: 'watchdog' });
});

/**
 * A station without a charge reads its meter too, on its own or when we ask, and sends no transaction id then. The first of
 * two readings came eleven minutes ago, after the connector became free.
 */
async function readIdleMeter({ device, connector, id }: Awaited<ReturnType<typeof charging>>, secondWh: number) {
  await device.status(1, 'Available');
  const reading = (energyWh: number, powerW: number) =>
    device.call('MeterValues', {
      connectorId: 1,
      meterValue: [
        {
          timestamp: new Date().toISOString(),
          sampledValue: [
            { value: String(energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh', context: 'Trigger' },
            { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W', context: 'Trigger' },
          ],
        },
      ],
    });
  await reading(1_150, 0);
  await sql`update connectors set status_at = now() - interval '12 minutes' where id = ${connector}`.execute(stack.db);
  await sql`update operations set status_at = now() - interval '30 minutes' where id = ${id}`.execute(stack.db);
  await sql`update meter_samples set received_at = now() - interval '11 minutes' where ocpp_transaction_id in
    (select id from ocpp_transactions where operation_id = ${id})`.execute(stack.db);
  await reading(secondWh, secondWh > 1_150 ? 7_000 : 0);
}

test('field problem 15: readings of the idle meter of a free connector are no charge: closed on the last reading', async () => {
  const fixture = await charging();
  await readIdleMeter(fixture, 1_150);
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'finished', stop_cause: 'watchdog' });
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 2_25);
  await stack.checkBooks();
});

test('a connector that says it is free while energy flows is charging', async () => {
  const fixture = await charging();
  await readIdleMeter(fixture, 1_400);
  await stack.charging.watch();
  expect(await rowOf(fixture.id)).toEqual({ status: 'ongoing', stop_cause: null });
});
