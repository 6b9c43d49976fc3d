import { addSite, siteView } from '@fpay/contract/admin/network/sites';
import { isOpen } from '@fpay/contract/charging';
import type { Behaviour } from '@fpay/simulator/src/scenario.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';
import { createTimeline } from '../testing/timeline.ts';

/**
 * Chargers of 50 kW at sites of 100 kW that cannot be steered, or stop to obey. The power of all of them is summed each
 * second. `PROOF_SPEED` makes time faster; the machine must then be that much faster too.
 */
const speed = Number(process.env.PROOF_SPEED ?? 2);
const ratedW = 50_000;
const limitW = 100_000;

const timeline = createTimeline();
let stack: Stack;
let boss: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack({ clock: timeline.server });
  boss = await stack.signedIn('SuperAdmin');
  timeline.setSpeed(speed);
});
afterAll(() => stack.close());

type Station = Awaited<ReturnType<Stack['addStation']>>;
type Driver = Awaited<ReturnType<Stack['driver']>>;

async function addStation(profiles: Behaviour['profiles']): Promise<Station> {
  const station = await stack.addStation({
    powerW: ratedW,
    price: 1_00,
    clock: timeline.simulator,
    behaviour: { profiles },
  });
  await station.device.until(({ isBooted }) => isBooted, 60_000);
  await expect
    .poll(() => station.device.configuration.number('MeterValueSampleInterval'), { timeout: 60_000 })
    .toBe(10);
  await stack.plugIn(station);
  const car = { model: 'Test', batteryWh: 1_000_000, soc: 20, targetSoc: 100, maxAcW: ratedW, maxDcW: ratedW };
  station.device.connector(1).car = car;
  return station;
}

async function addSiteOf(stations: readonly Station[]): Promise<number> {
  const body = { name: 'Proof', limit: limitW, reserve: 0, stations: stations.map(({ number }) => number) };
  return (await boss.client.call(addSite, { body })).body.id;
}

const powerOf = ({ device }: Station) => {
  const connector = device.connector(1);
  return connector.transaction === null ? 0 : connector.powerW;
};
const isCharging = ({ device }: Station) => device.connector(1).transaction !== null;
const now = () => timeline.server.now().getTime();
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, (seconds * 1_000) / speed));

/** Sums the power each second. */
function watch(stations: readonly Station[]) {
  const seen = { seconds: 0, mostW: 0, longestOver: 0, refused: 0 };
  let overSince: number | null = null;
  const timer = setInterval(() => {
    const watts = stations.reduce((sum, station) => sum + powerOf(station), 0);
    seen.seconds += 1;
    seen.mostW = Math.max(seen.mostW, watts);
    if (watts <= limitW) overSince = null;
    else {
      overSince ??= now();
      seen.longestOver = Math.max(seen.longestOver, (now() - overSince) / 1_000);
    }
  }, 1_000 / speed);
  return { seen, stop: () => clearInterval(timer) };
}

/** Every driver tries again every few seconds, as people do, until the time is over. */
async function everyoneTries(stations: readonly Station[], seconds: number, seen: { refused: number }) {
  const until = now() + seconds * 1_000;
  const drivers: Driver[] = await Promise.all(stations.map(() => stack.driver(100_000_00)));
  const charges = await Promise.all(
    stations.map(async (station, index) => {
      const { client } = drivers[index] as Driver;
      while (now() < until) {
        const { status, body } = await stack.pay(client, { connector: station.connector, amount: '100' });
        if (status === 200) return { client, id: Number(body.page_url.slice(2)) };
        expect(body).toMatchObject({ code: 'site_full' });
        seen.refused += 1;
        await wait(5);
      }
      return null;
    }),
  );
  const rest = (until - now()) / 1_000;
  if (rest > 0) await wait(rest);
  return charges.filter((charge) => charge !== null);
}

async function report(
  title: string,
  site: number,
  stations: readonly Station[],
  seen: ReturnType<typeof watch>['seen'],
) {
  const { body } = await boss.client.call(siteView, { params: { id: String(site) } });
  console.log(
    `${title}: most ${(seen.mostW / 1_000).toFixed(1)} of ${limitW / 1_000} kW in ${seen.seconds} seconds, longest above ` +
      `${seen.longestOver.toFixed(1)} s; ${stations.filter(isCharging).length} charge, ${seen.refused} starts refused, ` +
      `page: ${body.power / 1_000} kW`,
  );
}

async function endAll(stations: readonly Station[]): Promise<void> {
  for (const station of stations) if (isCharging(station)) station.device.unplug(1);
  await expect.poll(() => stations.some(isCharging), { timeout: 60_000 }).toBe(false);
}

test('eight chargers without profiles: the site is never above its limit [STN-25]', async () => {
  const stations = await Promise.all(Array.from({ length: 8 }, () => addStation('none')));
  const site = await addSiteOf(stations);
  const { seen, stop } = watch(stations);
  await everyoneTries(stations, 90, seen);
  await report('eight without profiles', site, stations, seen);
  stop();
  expect(stations.filter(isCharging)).toHaveLength(2);
  expect(seen.mostW).toBeLessThanOrEqual(limitW);
  await endAll(stations);
});

test('eight chargers that accept profiles and ignore them: the site is never above its limit [STN-25]', async () => {
  const stations = await Promise.all(Array.from({ length: 8 }, () => addStation('ignored')));
  const site = await addSiteOf(stations);
  const { seen, stop } = watch(stations);
  await everyoneTries(stations, 120, seen);
  await report('eight that ignore', site, stations, seen);
  stop();
  expect(stations.filter(isCharging)).toHaveLength(2);
  expect(seen.mostW).toBeLessThanOrEqual(limitW);
  await endAll(stations);
});

test('four that obey and four that accept and ignore: never above its limit, and those that obey share it', async () => {
  const stations = await Promise.all(
    Array.from({ length: 8 }, (_, index) => addStation(index % 2 === 0 ? 'obeyed' : 'ignored')),
  );
  const site = await addSiteOf(stations);
  const { seen, stop } = watch(stations);
  await everyoneTries(stations, 240, seen);
  await report('four and four', site, stations, seen);
  stop();
  expect(seen.mostW).toBeLessThanOrEqual(limitW);
  expect(stations.filter(isCharging).length).toBeGreaterThan(1);
  await endAll(stations);
});

test('chargers that obeyed and then do not: at most 20 s above, with readings every 10 s', async () => {
  const stations = await Promise.all(Array.from({ length: 4 }, () => addStation('obeyed')));
  const site = await addSiteOf(stations);
  const { seen, stop } = watch(stations);
  const charges = await everyoneTries(stations, 150, seen);
  await report('four that obey', site, stations, seen);
  expect(stations.every(isCharging)).toBe(true);
  expect(seen.mostW).toBeLessThanOrEqual(limitW);

  // One: the others are lowered.
  (stations[0] as Station).device.behaviour.profiles = 'ignored';
  await wait(60);
  await report('one of them ignores', site, stations, seen);
  expect(seen.mostW).toBeGreaterThan(limitW);
  expect(seen.longestOver).toBeLessThanOrEqual(20);
  expect(stations.every(isCharging)).toBe(true);

  // All of them: the newest are stopped.
  for (const { device } of stations) device.behaviour.profiles = 'ignored';
  await wait(60);
  stop();
  await report('all of them ignore', site, stations, seen);
  expect(seen.longestOver).toBeLessThanOrEqual(20);
  const stopped = await stack.db
    .selectFrom('operations')
    .select(['id', 'status', 'stop_cause'])
    .where('stop_cause', '=', 'site_limit')
    .execute();
  expect(stopped.length).toBe(2);
  expect(stopped.some(({ status }) => isOpen(status as never))).toBe(false);
  expect(charges).toHaveLength(4);
  await stack.checkBooks();
});
