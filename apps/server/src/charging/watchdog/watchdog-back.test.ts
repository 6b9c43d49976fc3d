import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

/** How the watchdogs handle a station that was away, and what readings show by themselves. */
let stack: MovedStack;
let charges: ReturnType<typeof createWatchedCharges>;
beforeAll(async () => {
  stack = await startMovedStack();
  charges = createWatchedCharges(stack);
});
afterAll(() => stack.close());

const soon = { timeout: 20_000, interval: 200 };
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

test('silent: a station with rare readings has missed three of them before it is silent [ADM-HLTH-14]', async () => {
  const fixture = await charges.charging({ deposit: '450' });
  // Its configuration is requested when it connects; this device does not accept ours.
  const kept = stack.db.selectFrom('charge_points').select('configuration').where('identity', '=', fixture.identity);
  await vi.waitFor(async () => {
    expect((await kept.executeTakeFirstOrThrow()).configuration).toMatchObject({ values: { ConnectionTimeOut: '90' } });
  }, soon);
  await sql`update charge_points set configuration = jsonb_set(configuration, '{values,MeterValueSampleInterval}', '"600"')
    where identity = ${fixture.identity}`.execute(stack.db);
  stack.ahead({ minutes: 29 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  stack.ahead({ minutes: 2 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finishing');
});

test('back: a station that reconnects after half an hour is not silent, nor idle, before it could report what it did [MACH-30]', async () => {
  const fixture = await charges.charging({ deposit: '450' });
  // The car takes nothing, as the last reading before the station is lost says.
  await fixture.device.meter(1, fixture.transactionId, 1_100, 0);
  stack.ahead({ minutes: 10 });
  await charges.goesAway(fixture);
  stack.ahead({ minutes: 51 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  const back = await fixture.connect();
  stack.ahead({ minutes: 1 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  // Its queue shows that the car took power all the time.
  await back.meter(1, fixture.transactionId, 1_120);
  stack.ahead({ minutes: 13 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  stack.ahead({ minutes: 3 });
  await stack.charging.watch();
  expect([await charges.statusOf(fixture.id), await charges.terminationsOf(fixture.id)]).toEqual([
    'finishing',
    ['silent'],
  ]);
});

test('back: a stop that waited for the station is settled only when its queue has been quiet for two minutes [MACH-30]', async () => {
  const fixture = await charges.charging();
  await charges.goesAway(fixture);
  // The car is full before the driver requests the stop.
  const timestamp = stack.clock.now().toISOString();
  await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  const isLeftAlone = async (here: string) => {
    await stack.charging.watch();
    expect([here, await charges.statusOf(fixture.id)]).toEqual([here, 'finishing']);
  };
  stack.ahead({ hours: 23 });
  await isLeftAlone('23 hours');
  const back = await fixture.connect();
  stack.ahead({ seconds: 90 });
  await isLeftAlone('90 seconds');
  stack.ahead({ minutes: 7 });
  await back.meter(1, fixture.transactionId, 1_150, 20_000, timestamp);
  stack.ahead({ seconds: 90 });
  await isLeftAlone('10 minutes');
  // Its own stop, from the queue, is what is paid.
  await back.stop(fixture.transactionId, 1_180, { timestamp });
  await stack.until(fixture.client, fixture.id, 'finished');
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 2_70);
  await stack.checkBooks();
});

test.each([
  ['has been quiet for two minutes', 5],
  ['talks on for half an hour', 31],
])(
  'back: a station that never confirmed the stop and %s is settled on the last reading [MACH-30]',
  async (_how, minutes) => {
    const fixture = await charges.charging();
    await charges.goesAway(fixture);
    await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
    stack.ahead({ hours: 1 });
    const back = await fixture.connect();
    stack.ahead({ minutes });
    const lastsMinutes = minutes > 30 ? 0 : 2;
    await back.meter(1, fixture.transactionId, 1_100, 0);
    stack.ahead({ minutes: lastsMinutes, seconds: 1 });
    await stack.charging.watch();
    expect(await charges.statusOf(fixture.id)).toBe('finished');
    expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
  },
);

test('a free charge that was settled without its station is corrected by the late stop, and stays free [MACH-30]', async () => {
  const fixture = await stack.startCharge('150', 1_000, { price: 0 });
  await fixture.device.meter(1, fixture.transactionId, 1_100);
  await charges.goesAway(fixture);
  stack.ahead({ hours: 25 });
  await stack.charging.watch();
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 100 });
  const back = await fixture.connect();
  await back.stop(fixture.transactionId, 1_150);
  expect(await look(fixture)).toMatchObject({ status: 'finished', energy: 150, total: 0, payment_status: null });
});

test('a charge that was given up without any reading, everything returned, and that ran after all is the network’s loss [MACH-17]', async () => {
  const fixture = await stack.startCharge();
  await charges.goesAway(fixture);
  stack.ahead({ hours: 25 });
  await stack.charging.watch();
  expect(await look(fixture)).toMatchObject({ status: 'failed', payment_status: 'reversed' });
  const back = await fixture.connect();
  await back.stop(fixture.transactionId, 1_120);
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
  const fixture = await charges.charging();
  await sql`update users set telegram_id = ${fixture.id + 800_000_000} where id = ${fixture.userId}`.execute(stack.db);
  const { client: staff } = await stack.signedIn('Support');
  const listed = async () => (await staff.call(getTerminations)).body.filter(({ id }) => id === fixture.id);
  // The minute in which most devices reconnect has passed.
  await charges.goesAway(fixture);
  await vi.waitFor(async () => {
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
