import { stationReport } from '@fpay/contract/admin/network/station-report';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kyivDate } from '../../platform/kyiv-time.ts';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let boss: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  boss = await server.signedIn('Admin');
});
afterAll(() => server.close());

const hourMs = 3_600_000;
const day = (back: number) => kyivDate(new Date(Date.now() - back * 24 * hourMs));
const report = (number: string, from: string, to: string) =>
  boss.client.call(stationReport, { params: { number }, query: { from, to } });

/** Operations at one station with the number that it gets. */
async function station(number: string, count: number): Promise<number[]> {
  const { id: user } = await server.addUser();
  const ids: number[] = [];
  for (let times = 0; times < count; times += 1) ids.push(await addOperation(server, user, 'finished'));
  const [first = 0] = ids;
  await sql`update operations o set connector_id = f.connector_id, station_id = f.station_id,
    charge_point_id = f.charge_point_id from operations f
    where f.id = ${first} and o.id = any(${ids}::bigint[])`.execute(server.db);
  await sql`update stations set number = ${number} where id = (select station_id from operations where id = ${first})`.execute(
    server.db,
  );
  return ids;
}

test('a station has its figures beside those of the days before, with reasons, connectors and its outages', async () => {
  const [good = 0, failed = 0, earlier = 0] = await station('F7001', 3);
  const at = (back: number, hours = 0) => new Date(Date.now() - back * 24 * hourMs + hours * hourMs);
  await sql`update operations set created_at = ${at(2)}, started_at = ${at(2)}, finished_at = ${at(2, 2)}, start_attempt = 1,
    energy_wh = 40000, total = 24000 where id = ${good}`.execute(server.db);
  await sql`update operations set created_at = ${at(3)}, status = 'failed', failure_cause = 'never_delivered',
    start_attempt = 1 where id = ${failed}`.execute(server.db);
  await sql`update operations set created_at = ${at(9)}, started_at = ${at(9)}, finished_at = ${at(9, 1)}, start_attempt = 1,
    energy_wh = 20000, total = 12000 where id = ${earlier}`.execute(server.db);
  await sql`insert into charge_point_outages (charge_point_id, began_at, ended_at)
    select charge_point_id, ${at(4)}, ${at(4, 1)} from operations where id = ${good}`.execute(server.db);

  const { body } = await report('F7001', day(6), day(0));
  expect(body.figures).toMatchObject({
    energy: 40_000,
    revenue: 24_000,
    charging_success: 0.5,
    success: 0.5,
    rating: null,
  });
  expect(body.before).toMatchObject({ energy: 20_000, revenue: 12_000, success: 1 });
  expect(body.figures.uptime).toBeGreaterThan(0.99);
  expect(body.figures.uptime).toBeLessThan(1);
  expect(body.days).toHaveLength(7);
  expect(body.days.find((one) => one.day === day(2))).toMatchObject({ dc: 40_000, ac: 0, success: 1 });
  expect(body.days.reduce((sum, one) => sum + one.offline_minutes, 0)).toBe(60);
  expect(body.reasons).toEqual([{ reason: 'offline', count: 1, operations: [failed] }]);
  expect(body.connectors).toMatchObject([{ number: 1, type: 'ccstype2', energy: 40_000, success: 0.5 }]);
  expect(body.hours.flat().filter((share) => share !== null && share > 0).length).toBeGreaterThanOrEqual(2);
});

test('a station without charges has no shares instead of wrong ones', async () => {
  const [only = 0] = await station('F7002', 1);
  await sql`update operations set created_at = now() - interval '300 days' where id = ${only}`.execute(server.db);
  const { body } = await report('F7002', day(6), day(0));
  expect(body.figures).toMatchObject({ energy: 0, revenue: 0, utilisation: 0, success: null, rating: null, uptime: 1 });
  expect(body.reasons).toEqual([]);
});

test('an unknown station, a wrong period and a too long one are refused', async () => {
  expect((await report('F7999', day(6), day(0))).status).toBe(404);
  expect((await report('F7001', day(0), day(6))).status).toBe(422);
  expect((await report('F7001', day(800), day(0))).status).toBe(422);
  const support = await server.signedIn('Support');
  const query = { from: day(6), to: day(0) };
  expect((await support.client.call(stationReport, { params: { number: 'F7001' }, query })).status).toBe(403);
});
