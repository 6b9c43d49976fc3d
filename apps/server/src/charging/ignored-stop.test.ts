import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';
import { createWatched } from './watchdog.test-support.ts';

/** A charger that ignores the stop: who pays, who is informed, and how long it is asked again. */
let world: World;
let watched: ReturnType<typeof createWatched>;
beforeAll(async () => {
  world = await startWorld();
  watched = createWatched(world);
});
afterAll(() => world.close());

type Scene = Awaited<ReturnType<typeof watched.charging>>;
const patience = { timeout: 15_000, interval: 100 };
const stampOf = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000).toISOString();
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;
const balance = async ({ client }: Scene) => (await client.call(getUser)).body.balance;
const stop = ({ client, id }: Scene) => client.call(stopOperation, { params: { id: String(id) } });
const stopsAsked = ({ device }: Scene) =>
  device.commands.filter(({ action }) => action === 'RemoteStopTransaction').length;

/** As if the stop had been requested 40 s ago, with the last reading at the very end of the 30 s that are billed. */
async function requestedLongAgo({ id }: Scene, nextAction = 'now'): Promise<void> {
  await sql`update operations set stop_requested_at = now() - interval '40 seconds',
    billed_until = now() - interval '10 seconds', last_sample_at = now() - interval '10 seconds',
    next_action_at = ${nextAction}::timestamptz where id = ${id}`.execute(world.db);
}

/** As if every RemoteStop so far had been sent this long ago. */
const askedAgo = ({ id }: Scene, interval: string) =>
  sql`update commands set created_at = now() - ${interval}::interval, sent_at = now() - ${interval}::interval
    where charge_point_id = (select charge_point_id from operations where id = ${id})`.execute(world.db);

async function lossesOf({ id }: Scene): Promise<number[]> {
  const query = world.db.selectFrom('transfers').select('amount').where('operation_id', '=', id);
  return (await query.where('kind', '=', 'lost').execute()).map(({ amount }) => amount);
}

/** The driver requested the stop at 150 Wh, the charger went on to 250 Wh, and the watchdog has settled the charge. */
async function settledWhileCharging(): Promise<Scene> {
  const scene = await watched.charging();
  await stop(scene);
  await scene.device.asked('RemoteStopTransaction');
  await scene.device.meter(1, scene.transactionId, 1_150);
  await requestedLongAgo(scene, 'tomorrow');
  await scene.device.meter(1, scene.transactionId, 1_250);
  await askedAgo(scene, '11 minutes');
  await watched.ago(scene.id, 'status_at', '11 minutes');
  // It came online a quarter of an hour ago, and its readings do not cease.
  await watched.hereFor(scene.id, '15 minutes');
  await world.charging.watch();
  expect(await watched.statusOf(scene.id)).toBe('finished');
  // The same look of the watchdog asks the charger again.
  await scene.device.asked('RemoteStopTransaction', 1);
  await askedAgo(scene, '61 seconds');
  return scene;
}

test('the driver who requested the stop pays for 30 s more and no longer, whatever the readings say', async () => {
  const scene = await watched.charging();
  await stop(scene);
  await scene.device.meter(1, scene.transactionId, 1_150);
  expect(await look(scene)).toMatchObject({ status: 'finishing', energy: 150, total: 2_25 });
  await requestedLongAgo(scene);
  await scene.device.meter(1, scene.transactionId, 1_250, 43_000);
  await scene.device.meter(1, scene.transactionId, 1_350, 44_000);
  // The page shows that power still flows; energy and sum stay.
  expect(await look(scene)).toMatchObject({ energy: 150, total: 2_25, real_total: 2_25, power: 44_000 });
  await scene.device.stop(scene.transactionId, 1_400);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  expect(await balance(scene)).toBe(1000_00 - 2_25);
  expect(await lossesOf(scene)).toEqual([3_75]);
  await world.checkBooks();
});

test('a stop that comes after the 30 s without any reading between counts in proportion to the time', async () => {
  const scene = await world.startCharge();
  await stop(scene);
  await sql`update operations set started_at = now() - interval '80 seconds', last_sample_at = null,
    billed_until = now() - interval '40 seconds' where id = ${scene.id}`.execute(world.db);
  await scene.device.stop(scene.transactionId, 1_200);
  const { energy } = await world.until(scene.client, scene.id, 'finished');
  expect(energy).toBeGreaterThanOrEqual(95);
  expect(energy).toBeLessThanOrEqual(100);
  await world.checkBooks();
});

test('readings of a charger that was away when the stop was requested count by their own time', async () => {
  const scene = await watched.charging();
  await scene.device.close();
  await stop(scene);
  await sql`update operations set started_at = now() - interval '10 minutes', last_sample_at = now() - interval '9 minutes',
    billed_until = now() - interval '60 seconds' where id = ${scene.id}`.execute(world.db);
  await sql`update ocpp_transactions set started_at = now() - interval '10 minutes' where id = ${scene.transactionId}`.execute(
    world.db,
  );
  const back = await scene.connect();
  await back.meter(1, scene.transactionId, 1_180, 50_000, stampOf(61));
  expect(await look(scene)).toMatchObject({ energy: 180 });
  await back.meter(1, scene.transactionId, 1_280, 50_000, stampOf(20));
  expect(await look(scene)).toMatchObject({ energy: 180 });
});

test('30 s after an ignored stop the driver and staff are informed, and the stop is requested again, then each minute', async () => {
  const scene = await watched.charging();
  await sql`update users set telegram_id = ${scene.id + 900_000_000} where id = ${scene.userId}`.execute(world.db);
  const { client: staff } = await world.signedIn('Support');
  const listed = async () => (await staff.call(getTerminations)).body.filter(({ id }) => id === scene.id);
  await stop(scene);
  await scene.device.asked('RemoteStopTransaction');
  const due = world.db.selectFrom('operations').select('next_action_at').where('id', '=', scene.id);
  const secondsUntilDue = async () =>
    (Number((await due.executeTakeFirstOrThrow()).next_action_at) - Date.now()) / 1_000;
  expect(await secondsUntilDue()).toBeLessThanOrEqual(30);
  expect([(await look(scene)).stop_ignored, await listed()]).toEqual([false, []]);

  await askedAgo(scene, '40 seconds');
  await requestedLongAgo(scene);
  await scene.device.asked('RemoteStopTransaction', 1);
  expect(await look(scene)).toMatchObject({ status: 'finishing', stop_ignored: true });
  expect(await listed()).toMatchObject([{ type: 'stop_ignored', finished_at: null }]);
  expect(await secondsUntilDue()).toBeGreaterThan(45);
  const notices = await world.db.selectFrom('notices').select('kind').where('operation_id', '=', scene.id).execute();
  expect(notices.filter(({ kind }) => kind === 'stop_ignored')).toHaveLength(1);

  await scene.device.stop(scene.transactionId, 1_160);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ stop_ignored: false });
});

test('a charger that came online a quarter of an hour ago and goes on charging after the stop is settled after ten minutes', async () => {
  const scene = await settledWhileCharging();
  expect(await look(scene)).toMatchObject({ energy: 150, total: 2_25 });
  expect(await balance(scene)).toBe(1000_00 - 2_25);
  expect(await watched.terminationsOf(scene.id)).toContain('stuck');
});

test('after the settlement the stop is requested each minute while power flows, and what flowed is booked to losses once', async () => {
  const scene = await settledWhileCharging();
  const before = stopsAsked(scene);
  await scene.device.meter(1, scene.transactionId, 1_300);
  await world.charging.watch();
  await vi.waitFor(() => expect(stopsAsked(scene)).toBe(before + 1), patience);
  // Within the minute it is not asked again; after it, it is.
  await world.charging.watch();
  await askedAgo(scene, '61 seconds');
  await world.charging.watch();
  await vi.waitFor(() => expect(stopsAsked(scene)).toBe(before + 2), patience);

  await scene.device.stop(scene.transactionId, 1_320);
  await scene.device.stop(scene.transactionId, 1_320);
  expect(await look(scene)).toMatchObject({ status: 'finished', energy: 150, total: 2_25 });
  expect(await balance(scene)).toBe(1000_00 - 2_25);
  expect(await lossesOf(scene)).toEqual([2_55]);
  await askedAgo(scene, '61 seconds');
  await world.charging.watch();
  expect(stopsAsked(scene)).toBe(before + 2);
  await world.checkBooks();
});

test('after the settlement a charge that shows no power any more is left alone', async () => {
  const scene = await settledWhileCharging();
  const before = stopsAsked(scene);
  await sql`update meter_samples set received_at = now() - interval '20 minutes'
    where ocpp_transaction_id = ${scene.transactionId}`.execute(world.db);
  await sql`update ocpp_transactions set meter_state = (meter_state::jsonb || '{"risenAt": 0}')::text
    where id = ${scene.transactionId}`.execute(world.db);
  await world.charging.watch();
  expect(stopsAsked(scene)).toBe(before);
});

test('a charge that still flows a day after its settlement is an anomaly, is closed, and its energy is booked to losses', async () => {
  const scene = await settledWhileCharging();
  await scene.device.meter(1, scene.transactionId, 1_400);
  await watched.ago(scene.id, 'finished_at', '25 hours');
  const before = stopsAsked(scene);
  await world.charging.watch();
  const anomalies = await world.db
    .selectFrom('charge_point_anomalies')
    .select('kind')
    .where('ocpp_transaction_id', '=', scene.transactionId)
    .execute();
  expect(anomalies).toEqual([{ kind: 'stopIgnored' }]);
  expect(await lossesOf(scene)).toEqual([3_75]);
  expect(stopsAsked(scene)).toBe(before);
  await world.charging.watch();
  // Its own stop, should it still come, changes no money any more.
  await scene.device.stop(scene.transactionId, 1_500);
  expect(await look(scene)).toMatchObject({ status: 'finished', energy: 150, total: 2_25 });
  expect(await lossesOf(scene)).toEqual([3_75]);
  await world.checkBooks();
});
