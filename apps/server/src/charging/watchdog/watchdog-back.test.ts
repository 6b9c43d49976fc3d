import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';
import { createAgedCharges } from '../testing/watchdog.ts';

/** How the watchdogs handle a station that was away, and what readings show by themselves. */
let stack: Stack;
let aged: ReturnType<typeof createAgedCharges>;
beforeAll(async () => {
  stack = await startStack();
  aged = createAgedCharges(stack);
});
afterAll(() => stack.close());

const soon = { timeout: 20_000, interval: 200 };
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

test('silent: a station with rare readings has missed three of them before it is silent [ADM-HLTH-14]', async () => {
  const fixture = await aged.charging();
  // Its configuration is requested when it connects; this device does not accept ours.
  const kept = stack.db.selectFrom('charge_points').select('configuration').where('identity', '=', fixture.identity);
  await vi.waitFor(async () => {
    expect((await kept.executeTakeFirstOrThrow()).configuration).toMatchObject({ values: { ConnectionTimeOut: '90' } });
  }, soon);
  await sql`update charge_points set configuration = jsonb_set(configuration, '{values,MeterValueSampleInterval}', '"600"')
    where identity = ${fixture.identity}`.execute(stack.db);
  await aged.setLastReading(fixture.id, '29 minutes');
  await stack.charging.watch();
  expect(await aged.statusOf(fixture.id)).toBe('ongoing');
  await aged.setLastReading(fixture.id, '31 minutes');
  await stack.charging.watch();
  expect(await aged.statusOf(fixture.id)).toBe('finishing');
});

test('back: a station that reconnects after half an hour is not silent, nor idle, before it could report what it did [MACH-30]', async () => {
  const fixture = await aged.charging();
  // It is set away first, because the server's own watchdog also runs once a minute.
  await aged.hereFor(fixture.id, '30 minutes', false);
  await aged.setLastReading(fixture.id, '30 minutes');
  await aged.ago(fixture.id, 'idle_since', '61 minutes');
  await stack.charging.watch();
  expect(await aged.statusOf(fixture.id)).toBe('ongoing');
  await aged.hereFor(fixture.id, '1 minute');
  await stack.charging.watch();
  expect(await aged.statusOf(fixture.id)).toBe('ongoing');
  // Its queue shows that the car took power all the time.
  await fixture.device.meter(1, fixture.transactionId, 1_120);
  await aged.hereFor(fixture.id, '14 minutes');
  await aged.setLastReading(fixture.id, '20 minutes');
  await stack.charging.watch();
  expect(await aged.statusOf(fixture.id)).toBe('ongoing');
  await aged.hereFor(fixture.id, '16 minutes');
  await stack.charging.watch();
  expect([await aged.statusOf(fixture.id), await aged.terminationsOf(fixture.id)]).toEqual(['finishing', ['silent']]);
});

test('back: a stop that waited for the station is settled only when its queue has been quiet for two minutes [MACH-30]', async () => {
  const fixture = await aged.charging();
  await aged.hereFor(fixture.id, '23 hours', false);
  await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  await aged.ago(fixture.id, 'status_at', '1 hour');
  const readingsCame = (interval: string) =>
    sql`update meter_samples set received_at = now() - ${interval}::interval
      where ocpp_transaction_id = ${fixture.transactionId}`.execute(stack.db);
  for (const [here, isOnline, quiet] of [
    ['23 hours', false, '23 hours'],
    ['90 seconds', true, '1 hour'],
    ['10 minutes', true, '90 seconds'],
  ] as const) {
    await readingsCame(quiet);
    await aged.hereFor(fixture.id, here, isOnline);
    await stack.charging.watch();
    expect([here, await aged.statusOf(fixture.id)]).toEqual([here, 'finishing']);
  }
  // Its own stop, from the queue, is what is paid.
  await fixture.device.stop(fixture.transactionId, 1_180);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 2_70);
  await stack.checkBooks();
});

test.each([
  ['has been quiet for two minutes', '10 minutes', '121 seconds'],
  ['talks on for half an hour', '31 minutes', '1 second'],
])(
  'back: a station that never confirmed the stop and %s is settled on the last reading [MACH-30]',
  async (_how, here, quiet) => {
    const fixture = await aged.charging();
    await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
    await aged.ago(fixture.id, 'status_at', '1 hour');
    await aged.hereFor(fixture.id, here);
    await sql`update meter_samples set received_at = now() - ${quiet}::interval
    where ocpp_transaction_id = ${fixture.transactionId}`.execute(stack.db);
    await stack.charging.watch();
    expect(await aged.statusOf(fixture.id)).toBe('finished');
    expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
  },
);

test('a free charge that was settled without its station is corrected by the late stop, and stays free [MACH-30]', async () => {
  const fixture = await stack.startCharge('150', 1_000, { price: 0 });
  await fixture.device.meter(1, fixture.transactionId, 1_100);
  await aged.hereFor(fixture.id, '25 hours', false);
  await stack.charging.watch();
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 100 });
  await fixture.device.stop(fixture.transactionId, 1_150);
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 150, total: 0, payment_status: null });
});

test('a charge that was given up without any reading, everything returned, and that ran after all is the network’s loss [MACH-17]', async () => {
  const fixture = await stack.startCharge();
  await aged.hereFor(fixture.id, '25 hours', false);
  await stack.charging.watch();
  expect(await look(fixture)).toMatchObject({ status: 'failed', payment_status: 'reversed' });
  await fixture.device.stop(fixture.transactionId, 1_120);
  expect(await look(fixture)).toMatchObject({ status: 'failed', total: 0 });
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00);
  const lost = stack.db.selectFrom('transfers').select('amount').where('operation_id', '=', fixture.id);
  expect(await lost.where('kind', '=', 'lost').execute()).toEqual([{ amount: 1_80 }]);
  await stack.checkBooks();
});

test('idle and over the limit follow from readings: nothing taken, then something, then all that was paid for', async () => {
  const fixture = await stack.startCharge('3');
  const marks = () =>
    stack.db
      .selectFrom('operations')
      .select(['idle_since', 'limit_reached_at'])
      .where('id', '=', fixture.id)
      .executeTakeFirstOrThrow();
  await fixture.device.meter(1, fixture.transactionId, 1_050, 0);
  expect(await marks()).toEqual({ idle_since: expect.any(Date), limit_reached_at: null });
  await fixture.device.meter(1, fixture.transactionId, 1_060, 20_000);
  expect(await marks()).toEqual({ idle_since: null, limit_reached_at: null });
  await fixture.device.meter(1, fixture.transactionId, 1_210, 20_000);
  expect(await marks()).toEqual({ idle_since: null, limit_reached_at: expect.any(Date) });
});

test('the driver of a station that dies in mid-charge is notified, the page shows it, and it is listed for staff until it reconnects', async () => {
  const fixture = await aged.charging();
  await sql`update users set telegram_id = ${fixture.id + 800_000_000} where id = ${fixture.userId}`.execute(stack.db);
  const { client: staff } = await stack.signedIn('Support');
  const listed = async () => (await staff.call(getTerminations)).body.filter(({ id }) => id === fixture.id);
  await fixture.device.close();
  // The minute in which most devices reconnect has passed.
  await vi.waitFor(async () => {
    await sql`update charge_point_links set offline_due_at = now() where node_id is null and charge_point_id =
      (select charge_point_id from operations where id = ${fixture.id})`.execute(stack.db);
    expect(await look(fixture)).toMatchObject({ status: 'ongoing', is_online: false });
    expect(await listed()).toMatchObject([{ type: 'away', finished_at: null }]);
  }, soon);
  const notices = await stack.db.selectFrom('notices').select('kind').where('operation_id', '=', fixture.id).execute();
  expect(notices.map(({ kind }) => kind)).toContain('station_lost');

  const back = await fixture.connect();
  await vi.waitFor(async () => expect(await look(fixture)).toMatchObject({ status: 'ongoing', is_online: true }), soon);
  expect(await listed()).toEqual([]);
  await back.stop(fixture.transactionId, 1_150);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 2_25);
});
