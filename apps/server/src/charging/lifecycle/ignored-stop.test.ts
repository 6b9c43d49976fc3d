import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

/** A charger that ignores the stop: what is billed, which users are informed, and how long the stop is repeated. */
let stack: MovedStack;
let charges: ReturnType<typeof createWatchedCharges>;
beforeAll(async () => {
  stack = await startMovedStack();
  charges = createWatchedCharges(stack);
});
afterAll(() => stack.close());

type Fixture = Awaited<ReturnType<typeof charges.charging>>;
const soon = { timeout: 15_000, interval: 100 };
const stampOf = (secondsAgo: number) => new Date(stack.clock.now().getTime() - secondsAgo * 1_000).toISOString();
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;
const balance = async ({ client }: Fixture) => (await client.call(getUser)).body.balance;
const stop = ({ client, id }: Fixture) => client.call(stopOperation, { params: { id: String(id) } });
const stopsAsked = ({ device }: Fixture) =>
  device.commands.filter(({ action }) => action === 'RemoteStopTransaction').length;

/** What the books have as the network's loss for this charge, and what its station's report has. */
async function lossesOf({ id }: Fixture): Promise<number> {
  const { rows } = await sql<{ booked: number; shown: number }>`select
    coalesce((select sum(case when t.from_account = 5 then t.amount else -t.amount end) from transfers t
      where t.operation_id = ${id} and t.kind = 'lost' and t.payment_id is null), 0)::bigint as booked,
    coalesce((select sum(u.amount) from unbilled_energy u where u.operation_id = ${id}), 0)::bigint as shown`.execute(
    stack.db,
  );
  expect(rows[0]?.shown).toBe(rows[0]?.booked);
  return rows[0]?.booked ?? 0;
}

/** The last reading before the stop is repeated comes at the very end of the 30 s that are billed. */
async function endOfBilledTime({ device, transactionId }: Fixture): Promise<void> {
  stack.ahead({ seconds: 30 });
  await device.meter(1, transactionId, 1_150, 545);
}

/** The driver requested the stop at 150 Wh, the charger went on to 250 Wh, and the watchdog has settled the charge. */
async function settledWhileCharging(): Promise<Fixture> {
  const fixture = await stack.startCharge();
  await fixture.device.meter(1, fixture.transactionId, 1_100);
  await stop(fixture);
  await fixture.device.asked('RemoteStopTransaction');
  await fixture.device.meter(1, fixture.transactionId, 1_150);
  await endOfBilledTime(fixture);
  await fixture.device.asked('RemoteStopTransaction', 1);
  // It connected less than a quarter of an hour ago and still sends readings: 100 Wh in eleven minutes.
  stack.ahead({ minutes: 11 });
  await fixture.device.meter(1, fixture.transactionId, 1_250, 545);
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finished');
  // The stop is sent again, by the same run of the watchdog or by the charge itself, which was a moment faster.
  await fixture.device.asked('RemoteStopTransaction', 2);
  stack.ahead({ seconds: 61 });
  return fixture;
}

test('the driver who requested the stop pays for 30 s more and no longer, whatever the readings say', async () => {
  const fixture = await charges.charging({ powerW: 60_000 });
  await stop(fixture);
  await fixture.device.meter(1, fixture.transactionId, 1_150);
  expect(await look(fixture)).toMatchObject({ status: 'finishing', energy: 150, total: 2_25 });
  await endOfBilledTime(fixture);
  stack.ahead({ seconds: 10 });
  await fixture.device.meter(1, fixture.transactionId, 1_250, 43_000);
  await fixture.device.meter(1, fixture.transactionId, 1_350, 44_000);
  // The page shows that power still flows; energy and sum stay.
  expect(await look(fixture)).toMatchObject({ energy: 150, total: 2_25, real_total: 2_25, power: 44_000 });
  await fixture.device.stop(fixture.transactionId, 1_400);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  expect(await balance(fixture)).toBe(1000_00 - 2_25);
  expect(await lossesOf(fixture)).toBe(3_75);
  await stack.checkBooks();
});

test('a stop that comes after the 30 s without any reading between counts in proportion to the time', async () => {
  const fixture = await stack.startCharge();
  stack.ahead({ seconds: 10 });
  await stop(fixture);
  stack.ahead({ seconds: 70 });
  await fixture.device.stop(fixture.transactionId, 1_200);
  const { energy } = await stack.until(fixture.client, fixture.id, 'finished');
  expect(energy).toBeGreaterThanOrEqual(95);
  expect(energy).toBeLessThanOrEqual(100);
  await stack.checkBooks();
});

test('readings of a charger that was away when the stop was requested count by their own time', async () => {
  const fixture = await charges.charging({ powerW: 60_000 });
  await fixture.device.close();
  stack.ahead({ minutes: 8, seconds: 30 });
  await stop(fixture);
  stack.ahead({ seconds: 90 });
  const back = await fixture.connect();
  await back.meter(1, fixture.transactionId, 1_180, 50_000, stampOf(70));
  expect(await look(fixture)).toMatchObject({ energy: 180 });
  await back.meter(1, fixture.transactionId, 1_280, 50_000, stampOf(20));
  expect(await look(fixture)).toMatchObject({ energy: 180 });
});

test('30 s after an ignored stop the driver and staff are informed, and the stop is requested again, then each minute', async () => {
  const fixture = await charges.charging({ powerW: 60_000 });
  await sql`update users set telegram_id = ${fixture.id + 900_000_000} where id = ${fixture.userId}`.execute(stack.db);
  const { client: staff } = await stack.signedIn('Support');
  const listed = async () => (await staff.call(getTerminations)).body.filter(({ id }) => id === fixture.id);
  await stop(fixture);
  await fixture.device.asked('RemoteStopTransaction');
  const due = stack.db.selectFrom('operations').select('next_action_at').where('id', '=', fixture.id);
  const secondsUntilDue = async () =>
    (Number((await due.executeTakeFirstOrThrow()).next_action_at) - stack.clock.now().getTime()) / 1_000;
  expect(await secondsUntilDue()).toBeLessThanOrEqual(30);
  expect([(await look(fixture)).stop_ignored, await listed()]).toEqual([false, []]);

  stack.ahead({ seconds: 40 });
  await fixture.device.asked('RemoteStopTransaction', 1);
  expect(await look(fixture)).toMatchObject({ status: 'finishing', stop_ignored: true });
  expect(await listed()).toMatchObject([{ type: 'stop_ignored', finished_at: null }]);
  expect(await secondsUntilDue()).toBeGreaterThan(45);
  const notices = await stack.db.selectFrom('notices').select('kind').where('operation_id', '=', fixture.id).execute();
  expect(notices.filter(({ kind }) => kind === 'stop_ignored')).toHaveLength(1);

  await fixture.device.stop(fixture.transactionId, 1_160);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ stop_ignored: false });
});

test('a charger that came online a quarter of an hour ago and goes on charging after the stop is settled after ten minutes', async () => {
  const fixture = await settledWhileCharging();
  expect(await look(fixture)).toMatchObject({ energy: 150, total: 2_25 });
  expect(await balance(fixture)).toBe(1000_00 - 2_25);
  expect(await charges.terminationsOf(fixture.id)).toContain('stuck');
});

test('field problem 57: after the settlement the stop is requested each minute while power flows, and what flowed is booked to losses once', async () => {
  const fixture = await settledWhileCharging();
  // What has flowed is a loss already, not only when the charger reports the end.
  expect(await lossesOf(fixture)).toBe(1_50);
  const before = stopsAsked(fixture);
  await fixture.device.meter(1, fixture.transactionId, 1_300);
  await stack.charging.watch();
  await vi.waitFor(() => expect(stopsAsked(fixture)).toBe(before + 1), soon);
  // Within a minute the stop is not repeated; after it, it is.
  await stack.charging.watch();
  stack.ahead({ seconds: 61 });
  await stack.charging.watch();
  await vi.waitFor(() => expect(stopsAsked(fixture)).toBe(before + 2), soon);

  await fixture.device.stop(fixture.transactionId, 1_320);
  await fixture.device.stop(fixture.transactionId, 1_320);
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 150, total: 2_25 });
  expect(await balance(fixture)).toBe(1000_00 - 2_25);
  expect(await lossesOf(fixture)).toBe(2_55);
  stack.ahead({ seconds: 61 });
  await stack.charging.watch();
  expect(stopsAsked(fixture)).toBe(before + 2);
  await stack.checkBooks();
});

test('the run of the next minute repeats the stop, although the last one was sent a moment after its minute began', async () => {
  const fixture = await settledWhileCharging();
  const before = stopsAsked(fixture);
  for (let minute = 1; minute <= 3; minute += 1) {
    // The run took two seconds to send it.
    stack.ahead({ seconds: 58 });
    await fixture.device.meter(1, fixture.transactionId, 1_300 + minute);
    await stack.charging.watch();
    await vi.waitFor(() => expect(stopsAsked(fixture)).toBe(before + minute), soon);
  }
});

test('the same answer to the stops after the settlement is one line of the log, not one a minute', async () => {
  const fixture = await settledWhileCharging();
  const answers = async () => {
    const query = stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', fixture.id);
    const lines = await query.where('text', 'like', 'RemoteStopTransaction%').orderBy('id').execute();
    return lines.map(({ text }) => text);
  };
  const answered = async () => {
    const query = stack.db.selectFrom('commands').select('id').where('operation_id', '=', fixture.id);
    const done = query.where('action', '=', 'RemoteStopTransaction').where('next_action_at', 'is', null);
    return (await done.where('status', 'not in', ['queued', 'sent']).execute()).length;
  };
  await vi.waitFor(async () => expect(await answered()).toBe(stopsAsked(fixture)), soon);
  const before = await answers();
  expect(before.at(-1)).toBe('RemoteStopTransaction answered Accepted');
  for (let repeat = 0; repeat < 3; repeat += 1) {
    const sent = stopsAsked(fixture);
    stack.ahead({ seconds: 61 });
    await fixture.device.meter(1, fixture.transactionId, 1_300 + repeat);
    await stack.charging.watch();
    await vi.waitFor(() => expect(stopsAsked(fixture)).toBe(sent + 1), soon);
    await vi.waitFor(async () => expect(await answered()).toBe(sent + 1), soon);
  }
  expect(await answers()).toEqual(before);
});

test('after the settlement a charge that shows no power any more gets no further stops', async () => {
  const fixture = await settledWhileCharging();
  const before = stopsAsked(fixture);
  stack.ahead({ minutes: 20 });
  await stack.charging.watch();
  expect(stopsAsked(fixture)).toBe(before);
});

test('a charge that still flows a day after its settlement is an anomaly, is closed, and its energy is booked to losses', async () => {
  const fixture = await settledWhileCharging();
  stack.ahead({ hours: 25 });
  // 150 Wh in 25 hours.
  await fixture.device.meter(1, fixture.transactionId, 1_400, 6);
  const before = stopsAsked(fixture);
  await stack.charging.watch();
  const anomalies = await stack.db
    .selectFrom('charge_point_anomalies')
    .select('kind')
    .where('ocpp_transaction_id', '=', fixture.transactionId)
    .execute();
  expect(anomalies).toEqual([{ kind: 'stopIgnored' }]);
  expect(await lossesOf(fixture)).toBe(3_75);
  expect(stopsAsked(fixture)).toBe(before);
  await stack.charging.watch();
  // A StopTransaction that still arrives changes the loss, and not the bill.
  await fixture.device.stop(fixture.transactionId, 1_500);
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 150, total: 2_25 });
  expect(await lossesOf(fixture)).toBe(5_25);
  await stack.checkBooks();
});
