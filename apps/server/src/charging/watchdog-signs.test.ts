import { getUser } from '@fpay/contract/account';
import { stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

/** What the watchdogs take for a sign that a charge is over, and what they do not. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Its station has not been away lately. */
const hereForLong = (id: number) =>
  sql`update charge_points set online_changed_at = now() - interval '1 day'
    where id = (select charge_point_id from operations where id = ${id})`.execute(world.db);

/** A charge under way with 100 Wh on the meter: a reading is written before it is answered. */
async function charging() {
  const scene = await world.startCharge();
  await scene.device.meter(1, scene.transactionId, 1_100);
  await hereForLong(scene.id);
  return scene;
}

const rowOf = (id: number) =>
  world.db.selectFrom('operations').select(['status', 'stop_cause']).where('id', '=', id).executeTakeFirstOrThrow();

test('a station whose clock is hours slow is not silent while it reports', async () => {
  const asked = await world.askedToStart();
  const hoursAgo = () => new Date(Date.now() - 5 * 3_600_000).toISOString();
  const { transactionId } = await asked.device.start(1, asked.idTag, 1_000, hoursAgo());
  await hereForLong(asked.id);
  await world.charging.watch();
  expect(await rowOf(asked.id)).toEqual({ status: 'ongoing', stop_cause: null });
  await asked.device.meter(1, transactionId, 1_100, 50_000, hoursAgo());
  await sql`update operations set status_at = now() - interval '20 minutes' where id = ${asked.id}`.execute(world.db);
  await world.charging.watch();
  expect(await rowOf(asked.id)).toEqual({ status: 'ongoing', stop_cause: null });
});

test('a stop that the driver asked for and the station never confirmed is settled, and stays the driver’s', async () => {
  const scene = await charging();
  await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
  await scene.device.asked('RemoteStopTransaction');
  await sql`update operations set status_at = now() - interval '11 minutes' where id = ${scene.id}`.execute(world.db);
  await world.charging.watch();
  expect(await rowOf(scene.id)).toEqual({ status: 'finished', stop_cause: 'driver' });
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
});

test('a free connector is a sign of the end however often the station repeats that it is free', async () => {
  const scene = await charging();
  await scene.device.status(1, 'Available');
  await sql`update connectors set status_at = now() - interval '11 minutes' where id = ${scene.connector}`.execute(
    world.db,
  );
  await sql`update operations set last_sample_at = now() - interval '12 minutes', status_at = now() - interval '13 minutes' where id = ${scene.id}`.execute(
    world.db,
  );
  await sql`update meter_samples set received_at = now() - interval '12 minutes'
    where ocpp_transaction_id = ${scene.transactionId}`.execute(world.db);
  await scene.device.status(1, 'Available');
  await world.charging.watch();
  expect(await rowOf(scene.id)).toEqual({ status: 'finished', stop_cause: 'watchdog' });
});
