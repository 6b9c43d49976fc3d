import { stopOperation } from '@fpay/contract/charging';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScriptedDevice } from '../../testing/scripted-device.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

type Charge = Awaited<ReturnType<Stack['startCharge']>>;

/** The socket is lost; our side has noticed it when this resolves. */
async function lose({ device, id }: Charge): Promise<void> {
  await device.close();
  const link = () =>
    stack.db
      .selectFrom('charge_point_links')
      .innerJoin('operations', 'operations.charge_point_id', 'charge_point_links.charge_point_id')
      .select('node_id')
      .where('operations.id', '=', id)
      .executeTakeFirstOrThrow();
  await expect.poll(link).toEqual({ node_id: null });
}

/** The device opens a socket and sends no BootNotification, because it has not lost its power. */
async function comeBack({ url, identity, password }: Charge) {
  const device = createScriptedDevice({ url, identity, password });
  await device.client.connect();
  return { device, at: Date.now() };
}

const change = (id: number, values: { stop_due_at?: Date; power_w?: number; energy_wh?: number; metered_at?: Date }) =>
  stack.db.updateTable('operations').set(values).where('id', '=', id).execute();
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const stopsOf = (device: Charge['device']) =>
  device.commands.filter(({ action }) => action === 'RemoteStopTransaction').length;

test('a stop that the driver asked for while the station was away is sent in the first second after each reconnect, until the charge ends', async () => {
  const charge = await stack.startCharge();
  await lose(charge);
  await charge.client.call(stopOperation, { params: { id: String(charge.id) } });
  for (let reconnect = 1; reconnect <= 3; reconnect += 1) {
    const { device, at } = await comeBack(charge);
    expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId: charge.transactionId });
    expect(Date.now() - at).toBeLessThan(1_000);
    if (reconnect === 3) await device.stop(charge.transactionId, 1_020);
    await lose({ ...charge, device });
  }
  await stack.until(charge.client, charge.id, 'finished');
  const { device } = await comeBack(charge);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(stopsOf(device)).toBe(0);
}, 60_000);

test('a stop that became due at the limit while the station was away is sent in the first second after the reconnect', async () => {
  const charge = await stack.startCharge('150');
  await lose(charge);
  // 9.5 of 10 kWh 40 s ago, and 60 kW since then.
  const at60kW = { energy_wh: 9_500, power_w: 60_000 };
  await change(charge.id, { ...at60kW, metered_at: secondsAgo(40), stop_due_at: secondsAgo(10) });
  const { device, at } = await comeBack(charge);
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId: charge.transactionId });
  expect(Date.now() - at).toBeLessThan(1_000);
}, 60_000);

test('a car that takes less than rated power is asked for a reading after the reconnect and charges on; without an answer it is stopped within 3 s', async () => {
  const charge = await stack.startCharge('150');
  await lose(charge);
  // 9.5 of 10 kWh 50 s ago: 42 Wh more at 3 kW, 833 Wh at rated power.
  const isDueByRatedPower = {
    energy_wh: 9_500,
    power_w: 3_000,
    metered_at: secondsAgo(50),
    stop_due_at: secondsAgo(10),
  };
  await change(charge.id, isDueByRatedPower);
  const first = await comeBack(charge);
  expect(await first.device.asked('TriggerMessage')).toMatchObject({ requestedMessage: 'MeterValues' });
  expect(Date.now() - first.at).toBeLessThan(1_000);
  await first.device.meter(1, charge.transactionId, 1_010, 3_000);
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(stopsOf(first.device)).toBe(0);

  await lose({ ...charge, device: first.device });
  await change(charge.id, isDueByRatedPower);
  const second = await comeBack(charge);
  await second.device.asked('RemoteStopTransaction');
  expect(Date.now() - second.at).toBeLessThan(3_000);
}, 60_000);

test('a charge whose start waited in the queue of its station may be past its limit: it is asked for a reading at once and stopped within 3 s without one', async () => {
  const asked = await stack.askedToStart('15');
  // 1 kWh takes a minute at rated power, and the charge has run for two. Ours is older, so that the time can be true.
  await stack.db
    .updateTable('operations')
    .set({ created_at: secondsAgo(200) })
    .where('id', '=', asked.id)
    .execute();
  const at = Date.now();
  const { transactionId } = await asked.device.start(1, asked.idTag, 1_000, secondsAgo(120).toISOString());
  const isAsked = () => asked.device.commands.some(({ payload }) => payload.requestedMessage === 'MeterValues');
  await expect.poll(isAsked, { timeout: 1_000, interval: 20 }).toBe(true);
  expect(await asked.device.asked('RemoteStopTransaction')).toEqual({ transactionId });
  expect(Date.now() - at).toBeLessThan(3_000);
}, 60_000);

test('a charging profile that found the station away is decided again after the reconnect, also when the planned stop is near', async () => {
  const charge = await stack.startCharge('150');
  const chargePointId = await takesProfiles(charge);
  await lose(charge);
  await profileWasNotSent(charge, chargePointId);
  await change(charge.id, { metered_at: new Date(), energy_wh: 9_800, power_w: 60_000, stop_due_at: secondsAgo(-9) });
  const { device, at } = await comeBack(charge);
  expect(await device.asked('SetChargingProfile')).toMatchObject({
    csChargingProfiles: { transactionId: charge.transactionId },
  });
  // Not within the quiet time of a device that may still boot.
  expect(Date.now() - at).toBeLessThan(7_000);
}, 60_000);

test('a charging profile that found the station away is not sent when the charge has ended meanwhile', async () => {
  const charge = await stack.startCharge('150');
  const chargePointId = await takesProfiles(charge);
  await lose(charge);
  await profileWasNotSent(charge, chargePointId);
  const { device } = await comeBack(charge);
  await device.stop(charge.transactionId, 1_020);
  await stack.until(charge.client, charge.id, 'finished');
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  expect(device.commands.filter(({ action }) => action === 'SetChargingProfile')).toEqual([]);
  expect(await stack.db.selectFrom('device_wishes').selectAll().execute()).toEqual([]);
}, 60_000);

async function takesProfiles({ id }: Charge): Promise<number> {
  const values = { SupportedFeatureProfiles: 'Core,SmartCharging' };
  const { charge_point_id } = await stack.db
    .selectFrom('operations')
    .select('charge_point_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await stack.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: 'Test / Scripted / ', values }) })
    .where('id', '=', charge_point_id)
    .execute();
  return Number(charge_point_id);
}

/** The outcome of a profile whose node died before it was sent. */
async function profileWasNotSent({ id }: Charge, chargePointId: number): Promise<void> {
  await stack.steps.run((step) =>
    stack.charging.commandAnswered(step, {
      id: 1_000_000,
      chargePointId,
      action: 'SetChargingProfile',
      operationId: id,
      status: 'offline',
      answer: null,
      wasSent: false,
    }),
  );
}
