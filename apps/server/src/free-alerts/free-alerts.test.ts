import { addFavourite, knownStations, mostFavourites, removeFavourite } from '@fpay/contract/favourites';
import { addFreeAlert, freeAlertAt, removeFreeAlert } from '@fpay/contract/free-alerts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let now = Date.now();
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => new Date(now) } });
});
afterAll(() => server.close());

type Driver = Awaited<ReturnType<TestServer['signedIn']>>;
let stations = 0;

/** A station with this many connectors, all of them charging. */
async function busyStation(count = 1) {
  stations += 1;
  const { db } = server;
  const number = `F${7000 + stations}`;
  const at = server.clock.now();
  const point = await db
    .insertInto('charge_points')
    .values({ identity: `CP-${number}`, key_hash: Buffer.from(number), is_online: true, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tariff = await db
    .insertInto('tariffs')
    .values({ name: `Tariff ${number}`, price: 15_00 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const station = await db
    .insertInto('stations')
    .values({ number, address: 'A', address_uk: 'А', lat: 48.46, lon: 35.04, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const connectors: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    const { id } = await db
      .insertInto('connectors')
      .values({
        station_id: station.id,
        charge_point_id: point.id,
        ocpp_connector: index,
        type: 'ccstype2',
        power_w: 60_000,
        tariff_id: tariff.id,
        ocpp_status: 'Finishing',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    connectors.push(id);
  }
  return { number, id: station.id, connectors };
}

type Place = Awaited<ReturnType<typeof busyStation>>;
const setStatus = (connector: number, status: string) =>
  server.db.updateTable('connectors').set({ ocpp_status: status }).where('id', '=', connector).execute();
const changed = (place: Place) => server.features.freeAlerts.service.stationChanged(place.id);
const ask = (driver: Driver, { number }: Place, connector: number | null = null) =>
  driver.client.call(addFreeAlert, { params: { number }, body: { connector_type: 'ccstype2', connector } });
const alertOf = async (driver: Driver, { number }: Place) =>
  (await driver.client.call(freeAlertAt, { params: { number } })).body.alert;

test('drivers are notified in order: the first has a head start of ten minutes, then the next one is notified', async () => {
  const place = await busyStation();
  const [first, second] = [await server.signedIn(), await server.signedIn()];
  expect((await ask(first, place)).body).toMatchObject({ ahead: 0, head_start_until: null });
  expect((await ask(second, place)).body).toMatchObject({ ahead: 1 });
  const { body } = await second.client.call(freeAlertAt, { params: { number: place.number } });
  expect(body.waiting).toEqual([{ connector_type: 'ccstype2', count: 1 }]);
  await setStatus(place.connectors[0] ?? 0, 'Available');
  await Promise.all([changed(place), changed(place), changed(place)]);
  expect((await alertOf(first, place))?.head_start_until).toBe(new Date(now + 600_000).toISOString());
  expect((await alertOf(second, place))?.head_start_until).toBeNull();
  now += 601_000;
  await vi.waitFor(async () => expect((await alertOf(second, place))?.head_start_until).not.toBeNull(), 20_000);
  expect(await alertOf(first, place)).toBeNull();
});

test('a driver whose connector another car took waits again, at the same place', async () => {
  const place = await busyStation();
  const driver = await server.signedIn();
  await ask(driver, place, place.connectors[0] ?? null);
  await setStatus(place.connectors[0] ?? 0, 'Available');
  await changed(place);
  expect((await alertOf(driver, place))?.head_start_until).not.toBeNull();
  await setStatus(place.connectors[0] ?? 0, 'Finishing');
  await changed(place);
  expect((await alertOf(driver, place))?.head_start_until).toBeNull();
});

test('an alert is withdrawn, replaced, and expires by itself after four hours', async () => {
  const place = await busyStation(2);
  const [driver, stranger] = [await server.signedIn(), await server.signedIn()];
  const { body } = await ask(driver, place);
  const params = { params: { id: String(body.id) } };
  expect((await stranger.client.call(removeFreeAlert, params)).status).toBe(404);
  expect((await driver.client.call(removeFreeAlert, params)).status).toBeLessThan(300);
  expect((await driver.client.call(removeFreeAlert, params)).status).toBe(404);
  await ask(driver, place, place.connectors[0] ?? null);
  await ask(driver, place, place.connectors[1] ?? null);
  expect(await alertOf(driver, place)).toMatchObject({ connector: place.connectors[1], ahead: 0 });
  now += 4 * 60 * 60_000 + 61_000;
  await vi.waitFor(async () => expect(await alertOf(driver, place)).toBeNull(), 20_000);
});

test('a driver who starts to charge waits no longer, and two requests at one moment are one', async () => {
  const place = await busyStation();
  const driver = await server.signedIn();
  await Promise.all([ask(driver, place), ask(driver, place), ask(driver, place)]);
  const open = await server.db
    .selectFrom('free_alerts')
    .select('id')
    .where('user_id', '=', driver.id)
    .where('ended_at', 'is', null)
    .execute();
  expect(open).toHaveLength(1);
  await server.db
    .insertInto('operations')
    .values({
      user_id: driver.id,
      station_id: place.id,
      connector_id: place.connectors[0] ?? 0,
      charge_point_id: (
        await server.db
          .selectFrom('connectors')
          .select('charge_point_id')
          .where('id', '=', place.connectors[0] ?? 0)
          .executeTakeFirstOrThrow()
      ).charge_point_id,
      status: 'pending',
      payment_type: 'bank',
      target: 'uah',
      price: 15_00,
      deposit: 300_00,
      id_tag: `ALERT${place.id}`,
      created_at: server.clock.now(),
    })
    .execute();
  await changed(place);
  expect(await alertOf(driver, place)).toBeNull();

  // The same driver's stations: this one is recent, and marked after a press on the star.
  const mine = async () => (await driver.client.call(knownStations)).body;
  const params = { params: { number: place.number } };
  expect(await mine()).toMatchObject([{ number: place.number, is_favourite: false, charged_at: expect.any(String) }]);
  for (const _ of [1, 2]) expect((await driver.client.call(addFavourite, params)).status).toBeLessThan(300);
  expect(await mine()).toMatchObject([{ number: place.number, is_favourite: true }]);
  expect((await driver.client.call(addFavourite, { params: { number: 'F99999' } })).status).toBe(404);
  await driver.client.call(removeFavourite, params);
  expect(await mine()).toMatchObject([{ number: place.number, is_favourite: false }]);
  expect(mostFavourites).toBe(50);
});

test('an alert that is due takes the queue of its station from the front, so two of them cannot deadlock', async () => {
  const place = await busyStation();
  const [first, second] = [await server.signedIn(), await server.signedIn()];
  const ids = [(await ask(first, place)).body.id, (await ask(second, place)).body.id];
  const isWaiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await server.steps.run(async ({ db }) => {
    const locked = (id: number | undefined) =>
      db
        .selectFrom('free_alerts')
        .select('id')
        .where('id', '=', id ?? 0);
    await locked(ids[0]).forUpdate().execute();
    now += 61_000;
    await vi.waitFor(async () => expect((await isWaiting.execute(server.db)).rows).not.toEqual([]), 20_000);
    expect(await locked(ids[1]).forUpdate().noWait().execute()).toEqual([{ id: ids[1] }]);
  });
  await vi.waitFor(async () => expect((await isWaiting.execute(server.db)).rows).toEqual([]), 20_000);
});
