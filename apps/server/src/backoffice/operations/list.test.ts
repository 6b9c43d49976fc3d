import { holdFilters, statusFilters } from '@fpay/contract/admin/filters';
import {
  adminOperation,
  countOperations,
  lastOperations,
  operationCurve,
  operationTimeline,
} from '@fpay/contract/admin/operations';
import { operationStatuses } from '@fpay/contract/charging';
import { holdStatuses } from '@fpay/contract/payments';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** What staff see of operations: lists with every filter, and one operation. */
let server: TestServer;
let staff: Client;
let driver: { id: number; phone: string };
const ids: { id: number; status: string; hold: string; type: string }[] = [];

beforeAll(async () => {
  server = await startTestServer();
  staff = (await server.signedIn('Analytic')).client;
  driver = await server.addUser();
  // One operation for each pair of statuses, in the order of time.
  for (const status of operationStatuses) {
    for (const hold of [...holdStatuses.filter((name) => name !== 'unknown'), 'none']) {
      const type = hold === 'none' ? 'free' : ids.length % 2 === 0 ? 'bank' : 'bonuses';
      // The database allows one unpaid operation for each user.
      const user = status === 'created' ? (await server.addUser()).id : driver.id;
      const id = await addOperation(server, user, 'finished');
      await sql`update operations set status = ${status}, payment_type = ${type}, hold_status = ${hold} where id = ${id}`.execute(
        server.db,
      );
      if (hold !== 'none') {
        await sql`insert into payments (purpose, method, operation_id, user_id, amount, status, description, created_at)
          values ('operation', ${type}, ${id}, ${user}, 30000, ${hold}, 'Charging', now())`.execute(server.db);
      }
      ids.push({ id, status, hold, type });
    }
  }
});
afterAll(() => server.close());

const list = async (body: object, count = '500') =>
  (await staff.call(lastOperations, { params: { count }, body })).body.map(({ id }) => id);
const wanted = (isWanted: (row: (typeof ids)[number]) => boolean) =>
  ids
    .filter(isWanted)
    .map(({ id }) => id)
    .toReversed();

test('the list shows the last operations, newest first, as many as were asked for [ADM-OP-01] [ENT-31]', async () => {
  const { body } = await staff.call(lastOperations, { params: { count: '3' }, body: {} });
  expect(body.map(({ id }) => id)).toEqual(wanted(() => true).slice(0, 3));
  const newest = ids.at(-1);
  expect(body[0]).toEqual({
    id: newest?.id,
    status: 'failed_hold',
    hold: null,
    payment: null,
    payment_type: 'free',
    user: { id: driver.id, name: 'User 2', phone_number: driver.phone },
    station: expect.stringMatching(/^F/),
    total: 0,
    lost: 0,
    refunded: 0,
    rewards: 0,
    net: 0,
    amount: 300_00,
    energy: 0,
    datetime: expect.any(String),
    notes: 0,
  });
});

test('the next page continues after the last id of the page before', async () => {
  const first = await list({}, '40');
  expect([...first, ...(await list({ before: first.at(-1) }))]).toEqual(wanted(() => true));
});

test('the count of rows is from 1 to 500 [API-65]', async () => {
  const statusOf = async (count: string) => (await staff.call(lastOperations, { params: { count }, body: {} })).status;
  expect([await statusOf('0'), await statusOf('501'), await statusOf('x')]).toEqual([404, 404, 404]);
});

test.each(Object.entries(statusFilters))(
  'the status filter %s shows its statuses and no others [ADM-OP-05] [ADM-OP-06]',
  async (status, statuses: readonly string[]) => {
    expect(await list({ status })).toEqual(wanted((row) => statuses.includes(row.status)));
  },
);

test.each(Object.entries(holdFilters))(
  'the payment filter %s shows its holds and no others [ADM-OP-07]',
  async (hold, holds: readonly string[]) => {
    expect(await list({ hold })).toEqual(wanted((row) => holds.includes(row.hold)));
  },
);

test('every pair of status, payment and type filters shows exactly what both show [ADM-OP-04] [API-65]', async () => {
  for (const [status, statuses] of Object.entries(statusFilters)) {
    for (const [hold, holds] of Object.entries(holdFilters)) {
      for (const payment_type of ['bank', 'bonuses', 'free']) {
        const body = { status, hold, payment_type };
        const expected = wanted(
          (row) =>
            (statuses as readonly string[]).includes(row.status) &&
            (holds as readonly string[]).includes(row.hold) &&
            row.type === payment_type,
        );
        expect([body, await list(body)]).toEqual([body, expected]);
        const counted = await staff.call(countOperations, { body: body as never });
        expect(counted.body).toEqual({ count: expected.length, is_more: false });
      }
    }
  }
});

test('station and user narrow the list, by number, id or phone; unknown ones show nothing [ADM-OP-02] [API-64]', async () => {
  const [first] = ids;
  const row = await server.db
    .selectFrom('operations')
    .innerJoin('stations', 'stations.id', 'operations.station_id')
    .select('stations.number')
    .where('operations.id', '=', first?.id ?? 0)
    .executeTakeFirstOrThrow();
  const other = await server.addUser();
  const foreign = await addOperation(server, other.id, 'finished');
  expect(await list({ station: row.number.toLowerCase() })).toEqual([first?.id]);
  expect(await list({ station: 'F000', user: null })).toEqual([]);
  expect(await list({ user: String(other.id) })).toEqual([foreign]);
  expect(await list({ user: other.phone })).toEqual([foreign]);
  expect(await list({ user: other.phone.slice(1) })).toEqual([foreign]);
  expect(await list({ user: '+380000000000' })).toEqual([]);
  expect(await list({ user: String(other.id), status: 'pending' })).toEqual([]);
});

test('a range of time shows what was created in it [ADM-OP-04]', async () => {
  const { id = 0 } = ids[3] ?? {};
  await sql`update operations set created_at = '2020-01-01T10:00:00Z' where id = ${id}`.execute(server.db);
  const range = { from: '2020-01-01T10:00:00+00:00', to: '2020-01-01T10:00:01+00:00' };
  expect(await list(range)).toEqual([id]);
  expect(await list({ ...range, status: 'failed' })).toEqual([]);
  expect(await list({ from: '2020-01-01T10:00:01Z', to: '2020-01-01T11:00:00Z' })).toEqual([]);
});

test('one operation shows its charge, its station, its user and its payment [API-63] [ENT-32] [ENT-33] [ENT-34]', async () => {
  const held = ids.find(({ status, hold }) => status === 'finished' && hold === 'success');
  const { status, body } = await staff.call(adminOperation, { params: { id: String(held?.id) } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    operation_id: held?.id,
    transaction_id: null,
    user_id: driver.id,
    user_name: 'User 2',
    phone_number: driver.phone,
    user_balance: 0,
    car: null,
    connector_type: 'ccstype2',
    connector_power: 60_000,
    status: 'finished',
    source: 'app',
    price: 15_00,
    energy: 0,
    total: 0,
    current: -1,
    power: -1,
    soc: null,
    stop_reason: null,
    energy_limit: 20_000,
    payment_amount: 300_00,
    payment_total: 0,
    payment_status: 'success',
    failure_reason: null,
    comment: null,
    invoice_id: null,
    closed_at: null,
  });
  expect((await staff.call(adminOperation, { params: { id: '999999' } })).status).toBe(404);
});

test('milestones come in the order of time, and an operation without readings has an empty curve', async () => {
  const [first] = ids;
  const params = { id: String(first?.id) };
  const steps = (await staff.call(operationTimeline, { params })).body;
  expect(steps[0]).toMatchObject({ kind: 'opened', amount: 300_00 });
  expect((await staff.call(operationCurve, { params })).body).toEqual({
    began_at: null,
    seconds: [],
    energy: [],
    power: [],
  });
});
