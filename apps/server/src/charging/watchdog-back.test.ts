import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';
import { createWatched } from './watchdog.test-support.ts';

/** What the watchdogs make of a station that was away, and of what readings say by themselves. */
let world: World;
let watched: ReturnType<typeof createWatched>;
beforeAll(async () => {
  world = await startWorld();
  watched = createWatched(world);
});
afterAll(() => world.close());

const patience = { timeout: 20_000, interval: 200 };
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

test('silent: a station that insists on rare readings has missed three of them before it is silent [ADM-HLTH-14]', async () => {
  const scene = await watched.charging();
  // It is asked for its configuration when it comes; this one does not let ours be set.
  const kept = world.db.selectFrom('charge_points').select('configuration').where('identity', '=', scene.identity);
  await vi.waitFor(async () => {
    expect((await kept.executeTakeFirstOrThrow()).configuration).toMatchObject({ values: { ConnectionTimeOut: '90' } });
  }, patience);
  await sql`update charge_points set configuration = jsonb_set(configuration, '{values,MeterValueSampleInterval}', '"600"')
    where identity = ${scene.identity}`.execute(world.db);
  await watched.lastHeard(scene.id, '29 minutes');
  await world.charging.watch();
  expect(await watched.statusOf(scene.id)).toBe('ongoing');
  await watched.lastHeard(scene.id, '31 minutes');
  await world.charging.watch();
  expect(await watched.statusOf(scene.id)).toBe('finishing');
});

test('back: a station that comes back after half an hour is not silent, nor idle, before it could tell what it did [MACH-30]', async () => {
  const scene = await watched.charging();
  // Away first: the server's own watch looks once a minute too.
  await watched.hereFor(scene.id, '30 minutes', false);
  await watched.lastHeard(scene.id, '30 minutes');
  await watched.ago(scene.id, 'idle_since', '61 minutes');
  await world.charging.watch();
  expect(await watched.statusOf(scene.id)).toBe('ongoing');
  await watched.hereFor(scene.id, '1 minute');
  await world.charging.watch();
  expect(await watched.statusOf(scene.id)).toBe('ongoing');
  // Its queue says that the car took power all the while.
  await scene.device.meter(1, scene.transactionId, 1_120);
  await watched.hereFor(scene.id, '14 minutes');
  await watched.lastHeard(scene.id, '20 minutes');
  await world.charging.watch();
  expect(await watched.statusOf(scene.id)).toBe('ongoing');
  await watched.hereFor(scene.id, '16 minutes');
  await world.charging.watch();
  expect([await watched.statusOf(scene.id), await watched.terminationsOf(scene.id)]).toEqual(['finishing', ['silent']]);
});

test('back: a stop that waited for the station is settled only when its queue has been quiet for two minutes [MACH-30]', async () => {
  const scene = await watched.charging();
  await watched.hereFor(scene.id, '23 hours', false);
  await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
  await watched.ago(scene.id, 'status_at', '1 hour');
  const readingsCame = (interval: string) =>
    sql`update meter_samples set received_at = now() - ${interval}::interval
      where ocpp_transaction_id = ${scene.transactionId}`.execute(world.db);
  for (const [here, isOnline, quiet] of [
    ['23 hours', false, '23 hours'],
    ['90 seconds', true, '1 hour'],
    ['10 minutes', true, '90 seconds'],
  ] as const) {
    await readingsCame(quiet);
    await watched.hereFor(scene.id, here, isOnline);
    await world.charging.watch();
    expect([here, await watched.statusOf(scene.id)]).toEqual([here, 'finishing']);
  }
  // Its own word, from the queue, is what is paid.
  await scene.device.stop(scene.transactionId, 1_180);
  await world.until(scene.client, scene.id, 'finished');
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - 2_70);
  await world.checkBooks();
});

test.each([
  ['has been quiet for two minutes', '10 minutes', '121 seconds'],
  ['talks on for half an hour', '31 minutes', '1 second'],
])(
  'back: a station that never confirmed the stop and %s is settled on the last reading [MACH-30]',
  async (_how, here, quiet) => {
    const scene = await watched.charging();
    await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
    await watched.ago(scene.id, 'status_at', '1 hour');
    await watched.hereFor(scene.id, here);
    await sql`update meter_samples set received_at = now() - ${quiet}::interval
    where ocpp_transaction_id = ${scene.transactionId}`.execute(world.db);
    await world.charging.watch();
    expect(await watched.statusOf(scene.id)).toBe('finished');
    expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
  },
);

test('a free charge that was settled without its station is put right by the late stop, and stays free [MACH-30]', async () => {
  const scene = await world.startCharge('150', 1_000, { price: 0 });
  await scene.device.meter(1, scene.transactionId, 1_100);
  await watched.hereFor(scene.id, '25 hours', false);
  await world.charging.watch();
  expect(await look(scene)).toMatchObject({ status: 'finished', energy: 100 });
  await scene.device.stop(scene.transactionId, 1_150);
  expect(await look(scene)).toMatchObject({ status: 'finished', energy: 150, total: 0, payment_status: null });
});

test('a charge that was given up without any reading, everything returned, and turns out to have run is the network’s loss [MACH-17]', async () => {
  const scene = await world.startCharge();
  await watched.hereFor(scene.id, '25 hours', false);
  await world.charging.watch();
  expect(await look(scene)).toMatchObject({ status: 'failed', payment_status: 'reversed' });
  await scene.device.stop(scene.transactionId, 1_120);
  expect(await look(scene)).toMatchObject({ status: 'failed', total: 0 });
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00);
  const lost = world.db.selectFrom('transfers').select('amount').where('operation_id', '=', scene.id);
  expect(await lost.where('kind', '=', 'lost').execute()).toEqual([{ amount: 1_80 }]);
  await world.checkBooks();
});

test('idle and over the limit are what readings say: nothing taken, then something, then all that was paid for', async () => {
  const scene = await world.startCharge('3');
  const marks = () =>
    world.db
      .selectFrom('operations')
      .select(['idle_since', 'limit_reached_at'])
      .where('id', '=', scene.id)
      .executeTakeFirstOrThrow();
  await scene.device.meter(1, scene.transactionId, 1_050, 0);
  expect(await marks()).toEqual({ idle_since: expect.any(Date), limit_reached_at: null });
  await scene.device.meter(1, scene.transactionId, 1_060, 20_000);
  expect(await marks()).toEqual({ idle_since: null, limit_reached_at: null });
  await scene.device.meter(1, scene.transactionId, 1_210, 20_000);
  expect(await marks()).toEqual({ idle_since: null, limit_reached_at: expect.any(Date) });
});

test('a station that dies in mid-charge is told to its driver, shown on the page, and listed for staff until it is back', async () => {
  const scene = await watched.charging();
  await sql`update users set telegram_id = ${scene.id + 800_000_000} where id = ${scene.userId}`.execute(world.db);
  const { client: staff } = await world.signedIn('Support');
  const listed = async () => (await staff.call(getTerminations)).body.filter(({ id }) => id === scene.id);
  await scene.device.close();
  // The minute in which most come back has passed.
  await vi.waitFor(async () => {
    await sql`update charge_point_links set offline_due_at = now() where node_id is null and charge_point_id =
      (select charge_point_id from operations where id = ${scene.id})`.execute(world.db);
    expect(await look(scene)).toMatchObject({ status: 'ongoing', is_online: false });
  }, patience);
  expect(await listed()).toMatchObject([{ type: 'away', finished_at: null }]);
  const notices = await world.db.selectFrom('notices').select('kind').where('operation_id', '=', scene.id).execute();
  expect(notices.map(({ kind }) => kind)).toContain('station_lost');

  const back = await scene.connect();
  await vi.waitFor(
    async () => expect(await look(scene)).toMatchObject({ status: 'ongoing', is_online: true }),
    patience,
  );
  expect(await listed()).toEqual([]);
  await back.stop(scene.transactionId, 1_150);
  await world.until(scene.client, scene.id, 'finished');
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - 2_25);
});
