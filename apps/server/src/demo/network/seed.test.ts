import { connectorTypes } from '@fpay/contract/connectors';
import { StationNumber } from '@fpay/contract/stations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKey } from '../../ocpp/connections/charge-point-key.ts';
import { createPartyStore } from '../../party/store.ts';
import { openDatabase } from '../../platform/database.ts';
import { createSteps } from '../../platform/step.ts';
import { createStationService } from '../../stations/service.ts';
import { createStationStore } from '../../stations/store.ts';
import { networkFixture } from '../../stations/testing/network.ts';
import { testDatabase } from '../../testing/database.ts';
import { demoCities, planDemoNetwork } from './plan.ts';
import { type DemoChargePoint, seedDemoNetwork } from './seed.ts';
import { specials } from './specials.ts';

const plan = planDemoNetwork();

describe('the plan of the demo network', () => {
  it('has some 400 stations in 40 cities, most of them in Dnipro, and is the same each time', () => {
    expect(plan.length).toBeGreaterThan(390);
    expect(plan.length).toBeLessThan(430);
    expect(demoCities.length).toBeGreaterThanOrEqual(40);
    const inCity = Map.groupBy(plan, ({ address }) => address.split(', ').at(-1) ?? '');
    expect(inCity.size).toBe(demoCities.length);
    const sizes = [...inCity].toSorted((a, b) => b[1].length - a[1].length).map(([city]) => city);
    expect(sizes[0]).toBe('Dnipro');
    expect(planDemoNetwork()).toEqual(plan);
  });

  it('is small for tests: a fifth of the stations, as they are in the full one, with all that demonstrate a feature', () => {
    const small = planDemoNetwork('small');
    expect(small.length).toBeLessThan(90);
    expect(plan).toEqual(expect.arrayContaining(small));
    const scenarios = (stations: typeof plan) => new Set(stations.map(({ scenario }) => scenario));
    expect(scenarios(small)).toEqual(scenarios(plan));
    expect(small.map(({ number }) => number)).toEqual(expect.arrayContaining(Object.keys(specials)));
  });

  it('gives every station its own number, link and identity', () => {
    for (const key of ['number', 'link', 'identity'] as const) {
      expect(new Set(plan.map((station) => station[key])).size).toBe(plan.length);
    }
    for (const { number } of plan) expect(StationNumber.safeParse(number).success).toBe(true);
  });

  it('has every connector type, hubs, and every behaviour', () => {
    const types = new Set(plan.flatMap(({ connectors }) => connectors.map(({ type }) => type)));
    expect([...types].toSorted()).toEqual(Object.keys(connectorTypes).toSorted());
    const places = Map.groupBy(plan, ({ lat, lon }) => `${lat},${lon}`);
    expect([...places.values()].filter((hub) => hub.length > 1).length).toBeGreaterThan(15);
    expect(new Set(plan.map(({ scenario }) => scenario)).size).toBe(14);
  });

  it('has places in Ukraine, with addresses in the usual form', () => {
    const streetUk =
      /^((вул|просп|бульв|пл)\. .+|.+ (шосе|дорога|просп\.|бульв\.|наб\.)), \d+, [А-ЯІЇЄҐ][а-яіїєґА-ЯІЇЄҐ’ -]+$/;
    const streetEn = /^[A-Z][A-Za-z ]+ (St|Ave|Blvd|Hwy|Rd|Sq|Embankment), \d+, [A-Z][A-Za-z -]+$/;
    for (const { address, addressUk, lat, lon } of plan) {
      expect(addressUk).toMatch(streetUk);
      expect(address).toMatch(streetEn);
      expect(lat).toBeGreaterThan(46);
      expect(lat).toBeLessThan(52);
      expect(lon).toBeGreaterThan(22);
      expect(lon).toBeLessThan(38);
    }
  });

  it('uses no place name that was replaced by 2024', () => {
    const givenUp =
      /Лені|Жовтн|Комсомол|Радянськ|Гагарін|Пушкін|Карла Маркса|Дзержин|Кіров|Артема|Дніпропетровськ|Дніпродзержинськ|Кіровоград|Новомосковськ|Перемоги|Московськ|Космонавт|Першотравн/;
    expect(plan.filter(({ addressUk }) => givenUp.test(addressUk))).toEqual([]);
  });
});

describe('the demo network in the database', () => {
  const clock = { now: () => new Date('2026-11-01T12:00:00Z') };
  const secret = 'a secret of the demo, long enough';
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let opened: ReturnType<typeof openDatabase>;
  let closedPartyId: number;
  let chargePoints: DemoChargePoint[];
  const seed = () =>
    createSteps(opened.db, () => {}).run((step) =>
      seedDemoNetwork(step, { size: 'full', closedPartyId, secret, now: clock.now() }),
    );

  beforeAll(async () => {
    database = await testDatabase();
    opened = openDatabase({ url: database.appUrl, poolSize: 2 });
    const steps = createSteps(opened.db, () => {});
    closedPartyId = await networkFixture(opened.db, steps, clock).party(true);
    chargePoints = await seed();
    await opened.db.updateTable('charge_points').set({ is_online: true }).execute();
  });
  afterAll(async () => {
    await opened.close();
    await database.drop();
  });

  it('is written once; the simulator gets the same list each time', async () => {
    expect(chargePoints).toHaveLength(plan.length);
    expect(await seed()).toEqual(chargePoints);
    const { count } = await opened.db
      .selectFrom('charge_points')
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(plan.length);
  });

  it('accepts its devices with the passwords from the list', async () => {
    const rows = await opened.db.selectFrom('charge_points').select(['identity', 'key_hash']).execute();
    const hashes = new Map(rows.map(({ identity, key_hash }) => [identity, key_hash]));
    for (const { identity, password } of chargePoints.slice(0, 20)) {
      expect(isKey(secret, hashes.get(identity) ?? Buffer.alloc(32), Buffer.from(password))).toBe(true);
    }
    const f1400 = chargePoints.find(({ identity }) => identity === 'CP-F1400');
    expect(f1400?.connectors).toEqual([
      { id: 1, type: 'ccstype2', powerW: 120_000 },
      { id: 2, type: 'ccstype2', powerW: 120_000 },
    ]);
  });

  it('has the promotions of F1400, F1019, F1403 and the season, with their days [STN-19]', async () => {
    const rows = await opened.db
      .selectFrom('promotions')
      .leftJoin('stations', 'stations.id', 'promotions.station_id')
      .select(['number', 'kind', 'code', 'from_day', 'to_day', 'terms'])
      .orderBy('promotions.id')
      .execute();
    expect(rows.map(({ number, kind, code, from_day, to_day }) => [number, kind, code, from_day, to_day])).toEqual([
      ['F1400', 'banner', 'free_parking', null, null],
      ['F1400', 'reward', 'free_parking', null, null],
      ['F1019', 'banner', 'solar', null, null],
      ['F1019', 'marker', 'sun', null, null],
      ['F1403', 'marker', 'discount', '10-23', '11-15'],
      [null, 'marker', 'event', '10-27', '11-02'],
      [null, 'banner', 'season', '10-27', '11-02'],
    ]);
    expect(rows[1]?.terms).toEqual({ min_energy_wh: 40_000, amount: 40_00 });
  });

  it('shows its features: a free station, a discount, a solar tariff, a mall, a closed yard', async () => {
    const stations = createStationService({
      stations: createStationStore(opened.db),
      parties: createPartyStore(opened.db),
      clock,
    });
    const prices = async (number: string) =>
      (await stations.station(null, number)).connectors.map(({ price, old_price }) => [price, old_price]);
    expect(new Set((await prices('F1040')).flat())).toEqual(new Set([0, null]));
    expect((await prices('F1403'))[0]).toEqual([13_60, 16_00]);
    // Sunday at two in the afternoon.
    expect((await prices('F1019'))[0]).toEqual([8_00, null]);
    expect((await stations.station(null, 'F1019')).promo).toBe('solar');
    const mall = await stations.virtualStation(null, 'F1500');
    expect(new Set(mall.connectors.map(({ charging_station_id }) => charging_station_id)).size).toBe(3);
    for (const number of ['F1301', 'F1302', 'F1303']) {
      await expect(stations.station(null, number)).rejects.toThrow('closed party');
    }
  });
});
