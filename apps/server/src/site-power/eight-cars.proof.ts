import { addSite, siteView } from '@fpay/contract/admin/network/sites';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';
import { createTimeline } from '../testing/timeline.ts';

/**
 * Eight cars of 60 kW at a site with 120 kW. The power of all of them is summed each second; above the limit it may be
 * for ten seconds. `PROOF_SPEED` makes time faster; the machine must then be that much faster too.
 */
const speed = Number(process.env.PROOF_SPEED ?? 2);
const cars = 8;
const ratedW = 60_000;
const limitW = 120_000;
const deposit = '50';
/** 0.5 kWh for the deposit. */
const price = 100_00;

const timeline = createTimeline();
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ clock: timeline.server });
});
afterAll(() => stack.close());

type Station = Awaited<ReturnType<Stack['addStation']>>;

async function addStation(): Promise<Station> {
  const station = await stack.addStation({ powerW: ratedW, price, clock: timeline.simulator });
  await station.device.until(({ isBooted }) => isBooted, 60_000);
  await expect
    .poll(() => station.device.configuration.number('MeterValueSampleInterval'), { timeout: 60_000 })
    .toBe(10);
  await stack.plugIn(station);
  const car = { model: 'Test', batteryWh: 100_000, soc: 20, targetSoc: 100, maxAcW: ratedW, maxDcW: ratedW };
  station.device.connector(1).car = car;
  return station;
}

async function pay(station: Station) {
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: deposit });
  return { client, id: Number(body.page_url.slice(2)), station };
}

const now = () => timeline.server.now().getTime();
const powerOf = ({ device }: Station) => {
  const connector = device.connector(1);
  return connector.transaction === null ? 0 : connector.powerW;
};

test(`${cars} cars of 60 kW share ${limitW / 1000} kW: never above it for longer than 10 s, and all are done earlier than one after the other`, async () => {
  timeline.setSpeed(speed);
  const alone = await addStation();
  const lone = await pay(alone);
  await stack.until(lone.client, lone.id, 'ongoing', 60_000);
  const aloneFrom = now();
  await stack.until(lone.client, lone.id, 'finished', 300_000);
  const aloneSeconds = (now() - aloneFrom) / 1_000;

  const stations: Station[] = [];
  for (let n = 0; n < cars; n += 1) stations.push(await addStation());
  const boss = await stack.signedIn('SuperAdmin');
  const numbers = stations.map(({ number }) => number);
  const { body: site } = await boss.client.call(addSite, {
    body: { name: 'Proof', limit: limitW, reserve: 0, stations: numbers },
  });
  // Before a device has its standing limit, a charge would begin with rated power.
  const kept = async () =>
    (await boss.client.call(siteView, { params: { id: String(site.id) } })).body.rows.map(({ fallback }) => fallback);
  await expect.poll(kept, { timeout: 60_000 }).toEqual(stations.map(() => limitW / cars));

  // Devices that were seen to obey before; `site.proof.ts` shows how they are seen.
  await sql`insert into site_devices (charge_point_id, obeys, since, configured_for)
    select id, true, now(), coalesce(configuration->>'configuredFor', '') from charge_points`.execute(stack.db);

  const watched = { seconds: 0, most: 0, overSince: null as number | null, longestOver: 0, sum: 0 };
  const watch = setInterval(() => {
    const power = stations.reduce((sum, station) => sum + powerOf(station), 0);
    watched.seconds += 1;
    watched.most = Math.max(watched.most, power);
    watched.sum += power;
    if (power <= limitW) watched.overSince = null;
    else {
      watched.overSince ??= now();
      watched.longestOver = Math.max(watched.longestOver, (now() - watched.overSince) / 1_000);
    }
  }, 1_000 / speed);
  const from = now();
  const charges = await Promise.all(stations.map(pay));
  await Promise.all(charges.map(({ client, id }) => stack.until(client, id, 'finished', 900_000)));
  clearInterval(watch);
  const seconds = (now() - from) / 1_000;
  console.log(
    `site limit ${limitW / 1000} kW, ${cars} cars: all done in ${seconds.toFixed(0)} s, one after the other ` +
      `${(cars * aloneSeconds).toFixed(0)} s; most ${(watched.most / 1000).toFixed(1)} kW, longest above the limit ` +
      `${watched.longestOver.toFixed(1)} s of ${watched.seconds} seconds watched, mean ` +
      `${(watched.sum / watched.seconds / 1000).toFixed(1)} kW`,
  );
  expect(watched.longestOver).toBeLessThanOrEqual(10);
  expect(seconds).toBeLessThan(cars * aloneSeconds);
});
