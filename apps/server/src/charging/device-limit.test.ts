import { afterEach, expect, test } from 'vitest';
import { createTimeline } from '../testing/timeline.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
afterEach(() => world.close());

test('a socket that is lost in mid-charge gives no energy away, because the limit was left with the device', async () => {
  const timeline = createTimeline();
  world = await startWorld({ clock: timeline.server });
  const powerW = 120_000;
  // 4 kWh: two minutes at 120 kW. The socket is lost after 70 s and comes back after 90 s.
  const behaviour = { dropsSocketAfterMs: 70_000, offlineForMs: 90_000, commandDelayMs: [200, 200] as const };
  const station = await world.addStation({ powerW, price: 12_50, behaviour, clock: timeline.simulator });
  await station.device.until(({ isBooted }) => isBooted, 30_000);
  await expect
    .poll(() => station.device.configuration.number('MeterValueSampleInterval'), { timeout: 20_000 })
    .toBe(10);
  await world.plugIn(station);
  const connector = station.device.connector(1);
  connector.car = { model: 'Test', batteryWh: 100_000, soc: 20, targetSoc: 100, maxAcW: powerW, maxDcW: powerW };
  const { client } = await world.driver(100_00);
  const { body } = await world.pay(client, { connector: station.connector, amount: '50' });
  const id = Number(body.page_url.slice(2));
  await world.until(client, id, 'ongoing', 30_000);
  timeline.setSpeed(8);
  const { energy, status } = await world.until(client, id, 'finished', 90_000);
  expect(status).toBe('finished');
  // At most 5 s of rated power past the limit of 4 kWh.
  expect(energy).toBeLessThanOrEqual(4_000 + (powerW * 5) / 3_600);
  expect(energy).toBeGreaterThan(3_800);
}, 180_000);

test('a device that refuses the profile charges all the same and is not asked again with that firmware', async () => {
  world = await startWorld();
  const values = { SupportedFeatureProfiles: 'Core,SmartCharging' };
  const asked = await world.askedToStart('150');
  const { device, client, id } = asked;
  device.replies.SetChargingProfile = { status: 'Rejected' };
  await world.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: 'Test / Scripted / ', values }) })
    .where('id', '=', world.db.selectFrom('operations').select('charge_point_id').where('id', '=', id))
    .execute();
  const { transactionId } = await device.start(1, asked.idTag, 1_000);
  const profile = await device.asked('SetChargingProfile');
  expect(profile).toMatchObject({
    connectorId: 1,
    csChargingProfiles: { transactionId, chargingProfilePurpose: 'TxProfile' },
  });
  const row = () =>
    world.db
      .selectFrom('operations')
      .innerJoin('charge_points', 'charge_points.id', 'operations.charge_point_id')
      .select(['operations.device_cut_at', 'charge_points.profile_refused_by', 'operations.status'])
      .where('operations.id', '=', id)
      .executeTakeFirstOrThrow();
  await expect.poll(row, { timeout: 10_000 }).toMatchObject({
    profile_refused_by: 'Test / Scripted / ',
    status: 'ongoing',
  });
  // Nothing of ours stays with it, in case it took an earlier one.
  expect(await device.asked('ClearChargingProfile')).toEqual({ id: transactionId });
  await device.stop(transactionId, 1_150);
  await world.until(client, id, 'finished');
}, 60_000);

test('a device that cuts the power before the time we gave it gets its profile taken back and charges on', async () => {
  world = await startWorld();
  const { device, id, transactionId, client } = await world.startCharge('150');
  const cutAt = new Date(Date.now() + 300_000);
  await world.db.updateTable('operations').set({ device_cut_at: cutAt }).where('id', '=', id).execute();
  await device.status(1, 'SuspendedEVSE');
  expect(await device.asked('ClearChargingProfile')).toEqual({ id: transactionId });
  await device.stop(transactionId, 1_150);
  await world.until(client, id, 'finished');
}, 60_000);
