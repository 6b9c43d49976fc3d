import { randomUUID } from 'node:crypto';
import { adminStats, adminStatsCharts, today } from '@fpay/contract/admin/stats';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datesOf, rangeBefore, rangeOfPeriod } from '../../platform/period-range.ts';
import type { Client } from '../../testing/client.ts';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { recountStats } from './recount.ts';

/** The figures of staff: ranges, sums, and hours that are counted ahead. */
let server: TestServer;
let staff: Client;
beforeAll(async () => {
  server = await startTestServer();
  staff = (await server.signedIn('Analytic')).client;
});
afterAll(() => server.close());

const range = { from: '2025-03-10T00:00:00Z', to: '2025-03-11T00:00:00Z' };
const figures = async (query: object = range) => (await staff.call(adminStats, { query: query as never })).body;

interface Sums {
  status?: string;
  at?: string;
  energy?: number;
  total?: number;
  real?: number;
  lost?: number;
  idle?: number;
  type?: string;
  paid?: number;
}

async function add(user: number, sums: Sums): Promise<number> {
  const id = await addOperation(server, user, 'finished');
  const { status = 'finished', at = '2025-03-10T10:30:00Z', energy = 0, total = 0, real = total } = sums;
  const isClosed = !['created', 'pending', 'starting', 'ongoing', 'finishing', 'pending_final_payment'].includes(
    status,
  );
  await sql`update operations set status = ${status}, created_at = ${at}, energy_wh = ${energy}, total = ${total},
    real_total = ${real}, lost = ${sums.lost ?? 0}, idle_total = ${sums.idle ?? 0}, payment_type = ${sums.type ?? 'bank'}, paid = ${sums.paid ?? 0},
    closed_at = ${isClosed ? at : null} where id = ${id}`.execute(server.db);
  return id;
}

test('the figures are what the specification calls them [ADM-STAT-05] [ADM-STAT-06] [ADM-STAT-07] [ADM-STAT-08] [ADM-STAT-10]', async () => {
  const { id: user } = await server.addUser();
  const rated = await add(user, {
    energy: 10_000,
    total: 150_00,
    real: 160_00,
    paid: 155_00,
    at: '2025-03-10T01:05:00Z',
  });
  await add(user, { energy: 5_000, total: 75_00, idle: 6_00, type: 'bonuses', paid: 75_00 });
  await add(user, { energy: 2_000, total: 30_00, lost: 30_00, paid: 0 });
  await add(user, { energy: 1_000, type: 'free' });
  await add(user, { status: 'pending_final_payment', energy: 4_000, total: 60_00 });
  await add(user, { status: 'ongoing', energy: 3_000, total: 45_00, at: '2025-03-10T23:59:00Z' });
  for (const status of ['failed', 'canceled', 'failed_hold', 'created', 'pending', 'starting'])
    await add(user, { status });
  await add(user, { energy: 99_000, total: 99_00, at: '2025-03-11T00:00:00Z' });
  await sql`insert into feedback (operation_id, user_id, rating, created_at) values (${rated}, ${user}, 4, now())`.execute(
    server.db,
  );
  const expected = {
    from: '2025-03-10T00:00:00.000Z',
    to: '2025-03-11T00:00:00.000Z',
    kwh: 25,
    uah: {
      total: 315_00,
      balance: 75_00,
      balance_percentage: 23.81,
      over_limit: 10_00,
      overcharge: 5_00,
      ongoing: 45_00,
      lost: 30_00,
      idle: 6_00,
      refunded: 0,
      rewards: 0,
      net: 285_00,
      given: 0,
    },
    count: {
      total: 12,
      successful: 5,
      ongoing: 1,
      failed: 1,
      canceled: 1,
      failed_hold: 1,
      created: 1,
      other: 2,
      free: 1,
      promo: 0,
    },
    firstOperation: '2025-03-10T01:05:00.000Z',
    lastOperation: '2025-03-10T23:59:00.000Z',
    avg: { kwh: 5, uah: 63_00, hold_amount: 300_00, progress: 22.5 },
    feedback: { avg: 4, count: 1 },
  };
  expect(await figures()).toEqual(expected);
  await recountStats(server.db);
  expect(await figures()).toEqual(expected);
});

test('hours counted ahead give the same figures as a full count, whatever changes and wherever a range is cut', async () => {
  const users = [(await server.addUser()).id, (await server.addUser()).id];
  await server.db
    .updateTable('users')
    .set({ is_temporary: true })
    .where('id', '=', users[1] ?? 0)
    .execute();
  const statuses = ['finished', 'failed', 'canceled', 'ongoing', 'finished', 'finished'];
  const added: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    const at = new Date(Date.UTC(2025, 5, 1, 0, n * 37)).toISOString();
    const sums = { at, energy: n * 100, total: n * 150, real: n * 151, paid: n * 150 };
    added.push(await add(users[n % 2] ?? 0, { ...sums, status: statuses[n % 6] ?? 'finished' }));
  }
  const cuts = [
    ['2025-06-01T00:00:00Z', '2025-06-03T00:00:00Z'],
    ['2025-06-01T03:10:00Z', '2025-06-01T03:50:00Z'],
    ['2025-06-01T03:10:00Z', '2025-06-02T09:35:00Z'],
    ['2025-06-01T04:00:00Z', '2025-06-01T05:00:00Z'],
    ['2025-05-31T20:15:00Z', '2025-06-04T01:30:00Z'],
  ];
  const all = async () => {
    const found: unknown[] = [];
    for (const [from, to] of cuts)
      for (const with_temp of ['true', 'false']) {
        const query = { from, to, with_temp } as never;
        found.push(await figures(query));
        // Only this range has whole UTC days between its ends.
        if (from === '2025-05-31T20:15:00Z') found.push((await staff.call(adminStatsCharts, { query })).body.stations);
      }
    return found;
  };
  // Without any hour counted ahead, everything comes from the operations.
  await sql`delete from stats_hours`.execute(server.db);
  await sql`insert into stats_changes (hour) select distinct date_trunc('hour', created_at, 'UTC') from operations`.execute(
    server.db,
  );
  const full = await all();
  await recountStats(server.db);
  expect(await all()).toEqual(full);
  const { rows } = await sql<{ hours: number }>`select count(*)::int as hours from stats_hours`.execute(server.db);
  expect(rows[0]?.hours).toBeGreaterThan(20);
  // A change after the count is seen at once, before the hour is counted again.
  await sql`update operations set total = 5, energy_wh = 7777 where id = ${added[4] ?? 0}`.execute(server.db);
  await server.db
    .updateTable('users')
    .set({ is_temporary: false })
    .where('id', '=', users[1] ?? 0)
    .execute();
  const changed = await all();
  expect(changed).not.toEqual(full);
  await recountStats(server.db);
  expect(await all()).toEqual(changed);
}, 60_000);

test('what staff give and take is counted on its day, over all balances [ADM-STAT-12]', async () => {
  const admin = await server.signedIn('Admin');
  const { id: user } = await server.addUser();
  const { db, staffMoney } = server;
  const change = (amount: number) => ({ staff: admin.id, user, amount: kopecks(amount), requestKey: randomUUID() });
  await staffMoney.increase(change(90_00));
  await staffMoney.decrease(change(25_00));
  const day = { period: 'today' };
  expect((await figures(day)).uah).toMatchObject({ given: 65_00, total: 0, net: 0 });
  await db.updateTable('users').set({ is_temporary: true }).where('id', '=', user).execute();
  expect((await figures({ ...day, with_temp: 'false' })).uah.given).toBe(0);
});

test('one station or all; an unknown one is 404, an empty one 422 [ADM-STAT-01] [VAL-26]', async () => {
  const { id: user } = await server.addUser();
  const id = await add(user, { energy: 500, total: 7_50, at: '2025-04-01T12:00:00Z' });
  await add(user, { energy: 900, total: 9_00, at: '2025-04-01T12:00:00Z' });
  const station = await server.db
    .selectFrom('operations')
    .innerJoin('stations', 'stations.id', 'operations.station_id')
    .select('stations.number')
    .where('operations.id', '=', id)
    .executeTakeFirstOrThrow();
  const day = { from: '2025-04-01T00:00:00Z', to: '2025-04-02T00:00:00Z' };
  expect((await figures(day)).kwh).toBe(1.4);
  expect((await figures({ ...day, station: station.number })).kwh).toBe(0.5);
  await recountStats(server.db);
  expect((await figures({ ...day, station: station.number })).kwh).toBe(0.5);
  const status = async (query: object) => (await staff.call(adminStats, { query: query as never })).status;
  expect([await status({ ...day, station: 'F000' }), await status({ ...day, station: ' ' })]).toEqual([404, 422]);
});

test('temporary users are counted or left out [ADM-STAT-09]', async () => {
  const { id: user } = await server.addUser();
  await server.db.updateTable('users').set({ is_temporary: true }).where('id', '=', user).execute();
  await add(user, { energy: 700, at: '2025-04-05T12:00:00Z' });
  const day = { from: '2025-04-05T00:00:00Z', to: '2025-04-06T00:00:00Z' };
  expect((await figures({ ...day, with_temp: 'true' })).count.total).toBe(1);
  expect((await figures({ ...day, with_temp: 'false' })).count.total).toBe(0);
});

test('a period or both dates are needed, the end is not before the start, and zones have IANA names [API-68] [VAL-25] [VAL-30] [ADM-STAT-11]', async () => {
  const status = async (query: object) => (await staff.call(adminStats, { query: query as never })).status;
  expect(await status({})).toBe(422);
  expect(await status({ from: range.from })).toBe(422);
  expect(await status({ from: range.to, to: range.from })).toBe(422);
  for (const [tz, expected] of [
    ['Europe/Kyiv', 200],
    ['Europe/Kiev', 200],
    ['Mars/Base', 422],
    ['+02:00', 422],
  ]) {
    expect([tz, await status({ period: 'today', tz })]).toEqual([tz, expected]);
  }
});

test('charts have every day and hour, the best stations, and the period before [ADM-STAT-04]', async () => {
  const { id: user } = await server.addUser();
  await add(user, { energy: 1_500, total: 20_00, at: '2025-05-02T22:30:00Z' });
  const query = { from: '2025-04-30T21:00:00Z', to: '2025-05-03T21:00:00Z', tz: 'Europe/Kyiv' };
  const { body } = await staff.call(adminStatsCharts, { query: query as never });
  expect(body.days.map(({ day, energy }) => [day, energy])).toEqual([
    ['2025-05-01', 0],
    ['2025-05-02', 0],
    ['2025-05-03', 1_500],
  ]);
  expect(body.hours).toHaveLength(24);
  expect(body.hours[1]).toMatchObject({ hour: 1, energy: 1_500, count: 1, successful: 1 });
  expect(body.stations).toMatchObject([{ energy: 1_500, total: 20_00 }]);
  expect(body.before).toMatchObject({ from: '2025-04-27T21:00:00.000Z', to: '2025-04-30T21:00:00.000Z' });
});

test('today shows each role the figures that it may see', async () => {
  const seen = async (role: 'Support' | 'Analytic' | 'Admin') => {
    const { client } = await server.signedIn(role);
    const { body } = await client.call(today, { query: {} });
    return [
      body.energy !== null,
      body.running !== null,
      body.attention?.money != null,
      body.attention?.approvals != null,
    ];
  };
  // Support forces statuses, so it also decides about those that wait.
  expect(await seen('Support')).toEqual([false, true, false, true]);
  expect(await seen('Analytic')).toEqual([true, true, false, false]);
  expect(await seen('Admin')).toEqual([true, true, true, true]);
});

describe('periods', () => {
  const at = new Date('2026-11-17T10:00:00Z');
  test.each([
    ['today', '2026-11-16T22:00:00.000Z', '2026-11-17T22:00:00.000Z'],
    ['yesterday', '2026-11-15T22:00:00.000Z', '2026-11-16T22:00:00.000Z'],
    ['week', '2026-11-15T22:00:00.000Z', '2026-11-22T22:00:00.000Z'],
    ['lastWeek', '2026-11-08T22:00:00.000Z', '2026-11-15T22:00:00.000Z'],
    ['month', '2026-10-31T22:00:00.000Z', '2026-11-30T22:00:00.000Z'],
    ['lastMonth', '2026-09-30T21:00:00.000Z', '2026-10-31T22:00:00.000Z'],
    ['year', '2025-12-31T22:00:00.000Z', '2026-12-31T22:00:00.000Z'],
    ['lastYear', '2024-12-31T22:00:00.000Z', '2025-12-31T22:00:00.000Z'],
    ['24h', '2026-11-16T10:00:00.000Z', '2026-11-17T10:00:00.000Z'],
  ] as const)('%s begins and ends at midnight of the zone [ADM-STAT-03] [CONST-08]', (period, from, to) => {
    const found = rangeOfPeriod(period, at, 'Europe/Kyiv');
    expect([found.from.toISOString(), found.to.toISOString()]).toEqual([from, to]);
  });

  test('the period before has the same length, and days follow the zone', () => {
    const found = rangeOfPeriod('today', at, 'Asia/Kolkata');
    expect(found.from.toISOString()).toBe('2026-11-16T18:30:00.000Z');
    expect(datesOf(found, 'Asia/Kolkata')).toEqual(['2026-11-17']);
    expect(rangeBefore(found).from.toISOString()).toBe('2026-11-15T18:30:00.000Z');
  });
});
