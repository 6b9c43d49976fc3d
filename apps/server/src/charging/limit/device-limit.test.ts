import { afterEach, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';
import { createTimeline } from '../../testing/timeline.ts';

let stack: Stack;
afterEach(() => stack.close());

test('a socket that is lost in mid-charge gives no energy away, because the device has the limit too', async () => {
  const timeline = createTimeline();
  stack = await startStack({ clock: timeline.server });
  const powerW = 120_000;
  // 4 kWh take two minutes at 120 kW. The socket is lost after 70 s and reconnects after 90 s.
  const behaviour = { dropsSocketAfterMs: 70_000, offlineForMs: 90_000, commandDelayMs: [200, 200] as const };
  const station = await stack.addStation({ powerW, price: 12_50, behaviour, clock: timeline.simulator });
  await station.device.until(({ isBooted }) => isBooted, 30_000);
  await expect
    .poll(() => station.device.configuration.number('MeterValueSampleInterval'), { timeout: 20_000 })
    .toBe(10);
  await stack.plugIn(station);
  const connector = station.device.connector(1);
  connector.car = { model: 'Test', batteryWh: 100_000, soc: 20, targetSoc: 100, maxAcW: powerW, maxDcW: powerW };
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '50' });
  const id = Number(body.page_url.slice(2));
  await stack.until(client, id, 'ongoing', 30_000);
  timeline.setSpeed(8);
  const { energy, status } = await stack.until(client, id, 'finished', 90_000);
  expect(status).toBe('finished');
  // At most 5 s of rated power past the limit of 4 kWh.
  expect(energy).toBeLessThanOrEqual(4_000 + (powerW * 5) / 3_600);
  expect(energy).toBeGreaterThan(3_800);
}, 180_000);

test('a device that refuses the profile charges all the same and does not get one again with that firmware', async () => {
  stack = await startStack();
  const values = { SupportedFeatureProfiles: 'Core,SmartCharging' };
  const asked = await stack.askedToStart('150');
  const { device, client, id } = asked;
  device.replies.SetChargingProfile = { status: 'Rejected' };
  await stack.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: 'Test / Scripted / ', values }) })
    .where('id', '=', stack.db.selectFrom('operations').select('charge_point_id').where('id', '=', id))
    .execute();
  const { transactionId } = await device.start(1, asked.idTag, 1_000);
  const profile = await device.asked('SetChargingProfile');
  expect(profile).toMatchObject({
    connectorId: 1,
    csChargingProfiles: { transactionId, chargingProfilePurpose: 'TxProfile' },
  });
  const row = () =>
    stack.db
      .selectFrom('operations')
      .innerJoin('charge_points', 'charge_points.id', 'operations.charge_point_id')
      .select(['operations.device_cut_at', 'charge_points.profile_refused_by', 'operations.status'])
      .where('operations.id', '=', id)
      .executeTakeFirstOrThrow();
  await expect.poll(row, { timeout: 10_000 }).toMatchObject({
    profile_refused_by: 'Test / Scripted / ',
    status: 'ongoing',
  });
  // The profile is cleared, in case the device accepted an earlier one.
  expect(await device.asked('ClearChargingProfile')).toEqual({ id: transactionId });
  await device.stop(transactionId, 1_150);
  await stack.until(client, id, 'finished');
}, 60_000);

test('field problem 66: a device that cuts the power before the given time gets its profile cleared and charges on', async () => {
  stack = await startStack();
  const { device, id, transactionId, client } = await stack.startCharge('150');
  const cutAt = new Date(Date.now() + 300_000);
  await stack.db.updateTable('operations').set({ device_cut_at: cutAt }).where('id', '=', id).execute();
  await device.status(1, 'SuspendedEVSE');
  expect(await device.asked('ClearChargingProfile')).toEqual({ id: transactionId });
  await device.stop(transactionId, 1_150);
  await stack.until(client, id, 'finished');
}, 60_000);
