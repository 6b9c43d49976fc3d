import { networkOverview } from '@fpay/contract/admin/network/overview';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let support: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  support = await server.signedIn('Support');
});
afterAll(() => server.close());

async function addEnded(user: number, status: string): Promise<number> {
  const id = await addOperation(server, user, 'finished');
  await sql`update operations set status = ${status} where id = ${id}`.execute(server.db);
  return id;
}

const overview = async () => (await support.client.call(networkOverview)).body;

test('staff see what does not work now, the most urgent first, and how charges began', async () => {
  const { id: user } = await server.addUser();
  const ids: number[] = [];
  for (const status of ['finished', 'failed', 'failed_hold', 'finished'] as const) {
    ids.push(await addEnded(user, status));
  }
  const [good = 0, failed = 0, refused = 0, retried = 0] = ids;
  await sql`update operations set started_at = now(), energy_wh = 5000 where id in (${good}, ${retried})`.execute(
    server.db,
  );
  await sql`update operations set start_attempt = 1 where id in (${good}, ${failed}, ${refused})`.execute(server.db);
  await sql`update operations set start_attempt = 2 where id = ${retried}`.execute(server.db);
  await sql`update operations set failure_cause = 'no_start' where id = ${failed}`.execute(server.db);
  const pointOf = (id: number) => sql`(select charge_point_id from operations where id = ${id})`;
  await sql`update charge_points set is_online = true, online_changed_at = now() where true`.execute(server.db);
  await sql`update charge_points set is_online = false where id = ${pointOf(good)}`.execute(server.db);
  await sql`update connectors set ocpp_status = 'Faulted', error_code = 'GroundFailure', status_at = now()
    where id = (select connector_id from operations where id = ${failed})`.execute(server.db);

  const { problems, days, reasons, stations, healthy } = await overview();
  expect(problems.map(({ kind, error_code }) => [kind, error_code])).toEqual([
    ['faulted', 'GroundFailure'],
    ['offline', null],
  ]);
  expect(problems[0]).toMatchObject({ lat: expect.any(Number), connector: expect.any(Number) });
  expect(days).toHaveLength(14);
  expect(days.at(-1)).toMatchObject({ attempts: 3, right: 2, tries: 4, first: 1 });
  expect(Object.fromEntries(reasons.map(({ reason, operations }) => [reason, operations]))).toEqual({
    bank: [refused],
    not_started: [failed],
    retried: [retried],
  });
  expect(healthy).toHaveLength(stations - 2);
});

test('three failed starts in a row at one connector are a problem of the connector', async () => {
  const { id: user } = await server.addUser();
  const first = await addEnded(user, 'failed');
  for (let times = 0; times < 2; times += 1) {
    const next = await addEnded(user, 'failed');
    await sql`update operations o set connector_id = f.connector_id, station_id = f.station_id,
      charge_point_id = f.charge_point_id from operations f where f.id = ${first} and o.id = ${next}`.execute(
      server.db,
    );
  }
  await sql`update charge_points set is_online = true where id = (select charge_point_id from operations
    where id = ${first})`.execute(server.db);
  expect((await overview()).problems.filter(({ kind }) => kind === 'failing')).toHaveLength(1);
});
