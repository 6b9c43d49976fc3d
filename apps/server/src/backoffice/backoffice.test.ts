import { auditList } from '@fpay/contract/admin/audit';
import { exportFeedback, exportOperations, exportStats, exportUsers } from '@fpay/contract/admin/export';
import { adminFeedback, ratingMood, stationRating } from '@fpay/contract/admin/feedback';
import { moneyCases, moneyOverview, resolveMoneyCase } from '@fpay/contract/admin/money';
import { addNote, notes } from '@fpay/contract/admin/notes';
import { lastOperations } from '@fpay/contract/admin/operations';
import { search } from '@fpay/contract/admin/search';
import { shutDown, shutdownState, turnOn } from '@fpay/contract/admin/shutdown';
import { operationLog } from '@fpay/contract/charging';
import { getTerminations } from '@fpay/contract/health';
import { isDown } from '@fpay/contract/maintenance';
import { userLog } from '@fpay/contract/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../testing/operation.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** Everything of the back office that is neither an operation's nor a user's view. */
let server: TestServer;
let boss: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  boss = await server.signedIn('SuperAdmin');
});
afterAll(() => server.close());

const stationOf = async (operation: number): Promise<string> => {
  const row = await server.db
    .selectFrom('operations')
    .innerJoin('stations', 'stations.id', 'operations.station_id')
    .select('stations.number')
    .where('operations.id', '=', operation)
    .executeTakeFirstOrThrow();
  return row.number;
};

async function rate(user: number, rating: number, comment: string | null): Promise<number> {
  const operation = await addOperation(server, user, 'finished');
  await sql`insert into feedback (operation_id, user_id, rating, comment, created_at)
    values (${operation}, ${user}, ${rating}, ${comment}, now())`.execute(server.db);
  return operation;
}

test('feedback is listed by rating, comment, station and user, page by page [API-66] [ADM-FB-01] [ADM-FB-02] [ADM-FB-03] [ADM-FB-04]', async () => {
  const { id: user, phone } = await server.addUser();
  const rated = [
    await rate(user, 5, null),
    await rate(user, 1, 'The cable was cut'),
    await rate(user, 3, '=HYPERLINK("http://x")'),
  ];
  const list = async (body: object) =>
    (await boss.client.call(adminFeedback, { body: { user: String(user), ...body } })).body;
  const operations = async (body: object) => (await list(body)).data.map((entry) => entry.charging_operation_id);
  expect(await operations({})).toEqual(rated.toReversed());
  expect(await operations({ from: 1, to: 3 })).toEqual([rated[2], rated[1]]);
  expect(await operations({ with_comments_only: true })).toEqual([rated[2], rated[1]]);
  expect(await operations({ station_number: await stationOf(rated[1] ?? 0) })).toEqual([rated[1]]);
  expect(await operations({ user: phone })).toEqual(rated.toReversed());
  expect(await operations({ user: '+380000000009' })).toEqual([]);
  expect(await list({})).toMatchObject({ page_count: 1, total_count: 3 });
  expect((await list({ page: 2 })).data).toEqual([]);
});

test('an entry has the fields of the specification, the listing its pages [ENT-23] [ENT-24]', async () => {
  const { id: user, phone } = await server.addUser();
  const operation = await rate(user, 4, 'Good');
  const { body } = await boss.client.call(adminFeedback, { body: { user: String(user) } });
  expect(body).toEqual({
    data: [
      {
        id: expect.any(Number),
        payment_type: 'bank',
        connector_type: 'ccstype2',
        connector_id: expect.any(Number),
        charging_station: await stationOf(operation),
        user_phone_number: phone,
        user_name: expect.any(String),
        user_id: user,
        total: 0,
        source: 'app',
        status: 'finished',
        finished_at: null,
        created_at: expect.any(String),
        charging_operation_id: operation,
        comment: 'Good',
        rating: 4,
      },
    ],
    page_count: 1,
    total_count: 1,
  });
});

test('ratings are between 1 and 5 and from is not above to [VAL-27] [VAL-29]', async () => {
  for (const body of [{ from: 0 }, { to: 6 }, { from: 4, to: 2 }, { page: 0 }]) {
    expect([body, (await boss.client.call(adminFeedback, { body })).status]).toEqual([body, 422]);
  }
  expect([5, 4, 3.9, 3, 2.9].map(ratingMood)).toEqual(['good', 'good', 'neutral', 'neutral', 'bad']);
});

test('a station shows its average and the count of each star in a period [API-67] [ENT-25] [ADM-FB-11] [ADM-FB-12]', async () => {
  const { id: user } = await server.addUser();
  const operation = await rate(user, 5, null);
  const number = await stationOf(operation);
  const rating = async (station: string, query: object) =>
    boss.client.call(stationRating, { params: { station }, query: query as never });
  expect((await rating(number, { time_range: 'today' })).body).toEqual({
    average_rating: 5,
    total_count: 1,
    one_star: 0,
    two_stars: 0,
    three_stars: 0,
    four_stars: 0,
    five_stars: 1,
  });
  const past = { manual_range: 'true', from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' };
  expect((await rating(number, past)).body).toMatchObject({ average_rating: null, total_count: 0 });
  expect((await rating('F000', { time_range: 'today' })).status).toBe(404);
  expect((await rating(number, { manual_range: 'true' })).status).toBe(422);
});

test('a note shows in the list, in the log and as a mark, and cannot be changed', async () => {
  const { id: user } = await server.addUser();
  const operation = await addOperation(server, user, 'finished');
  const on = (subject: 'user' | 'operation', id: number) => ({ params: { subject, id: String(id) } });
  await boss.client.call(addNote, { ...on('operation', operation), body: { text: 'Promised a refund' } });
  await boss.client.call(addNote, { ...on('user', user), body: { text: 'Calls often' } });
  expect((await boss.client.call(notes, on('operation', operation))).body).toMatchObject([
    { text: 'Promised a refund' },
  ]);
  const listed = await boss.client.call(lastOperations, { params: { count: '1' }, body: { user: String(user) } });
  expect(listed.body[0]).toMatchObject({ id: operation, notes: 1 });
  const log = await boss.client.call(operationLog, { params: { id: String(operation) } });
  expect(String(log.body)).toContain('note: Promised a refund');
  expect(String((await boss.client.call(userLog, { params: { id: String(user) } })).body)).toContain(
    'note: Calls often',
  );
  expect((await boss.client.call(addNote, { ...on('user', 999_999), body: { text: 'x' } })).status).toBe(404);
  await expect(server.db.deleteFrom('support_notes').execute()).rejects.toThrow();
});

test('search finds an operation, a user by any part of the phone, a station, a device, a card and a tag', async () => {
  const { id: user, phone } = await server.addUser();
  const operation = await addOperation(server, user, 'finished');
  const number = await stationOf(operation);
  await sql`insert into payments (purpose, method, operation_id, user_id, amount, status, description, created_at, invoice_id,
    rrn, masked_pan) values ('operation', 'bank', ${operation}, ${user}, 100, 'hold', 'x', now(), 'inv-77', '123456789012',
    '444403******1902')`.execute(server.db);
  await sql`insert into rfid_cards (user_id, id_tag, created_at) values (${user}, '04FEEDBEEF', now())`.execute(
    server.db,
  );
  const find = async (q: string) => (await boss.client.call(search, { query: { q } })).body;
  const kinds = async (q: string) => (await find(q)).map(({ kind }) => kind);
  expect(await find(String(operation))).toContainEqual(
    expect.objectContaining({ kind: 'operation', id: operation, operation_id: operation }),
  );
  for (const q of [phone, phone.slice(1), phone.slice(-7)]) {
    expect(await find(q)).toContainEqual(expect.objectContaining({ kind: 'user', user_id: user }));
  }
  expect(await kinds(number.toLowerCase())).toContain('station');
  const { identity } = await server.db
    .selectFrom('operations')
    .innerJoin('charge_points', 'charge_points.id', 'operations.charge_point_id')
    .select('charge_points.identity')
    .where('operations.id', '=', operation)
    .executeTakeFirstOrThrow();
  expect(await kinds(identity.toLowerCase())).toEqual(['charge_point']);
  for (const q of ['inv-77', '123456789012', '1902']) {
    expect(await find(q)).toContainEqual(expect.objectContaining({ kind: 'payment', operation_id: operation }));
  }
  expect(await kinds('04feed')).toEqual(['rfid']);
  expect(await find('100%_\\')).toEqual([]);
});

test('an export has a byte-order mark, semicolons, decimal commas and no formulas, and is on record [ADM-OP-28]', async () => {
  const { id: user } = await server.addUser();
  await server.db.updateTable('users').set({ name: '=1+1' }).where('id', '=', user).execute();
  const operation = await addOperation(server, user, 'finished');
  await sql`update operations set total = 12345, energy_wh = 8230 where id = ${operation}`.execute(server.db);
  const response = await fetch(`${server.url}/api/admin/export/operations?user=${user}`, {
    headers: { cookie: [...boss.client.jar].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header, line, end] = bytes.toString('utf8').slice(1).split('\r\n');
  expect(header?.split(';').slice(0, 3)).toEqual(['id', 'datetime', 'status']);
  expect(line).toContain(`;'=1+1;`);
  expect(header?.split(';').slice(-4)).toEqual(['lost_uah', 'refunded_uah', 'rewards_uah', 'net_uah']);
  expect(line?.split(';').slice(-7)).toEqual(['8,230', '123,45', '300,00', '0,00', '0,00', '0,00', '123,45']);
  expect(end).toBe('');
  const record = await server.db.selectFrom('audit').selectAll().where('action', '=', 'export.operations').execute();
  expect(record).toMatchObject([{ staff_id: boss.id, after: { user: String(user) } }]);
});

test('users are exported only with manage-users; feedback and days of stats are exported too [ADM-OP-28]', async () => {
  const operator = await server.signedIn('Operator');
  expect((await operator.client.call(exportUsers, { query: {} })).status).toBe(403);
  expect(String((await boss.client.call(exportUsers, { query: {} })).body)).toContain('phone_number;role');
  expect(String((await boss.client.call(exportFeedback, { query: { from: '3' } })).body)).toContain("'=HYPERLINK");
  const days = String((await boss.client.call(exportStats, { query: { period: '7d' } as never })).body)
    .trim()
    .split('\r\n');
  expect(days.length).toBeGreaterThanOrEqual(8);
  expect((await operator.client.call(exportOperations, { query: {} })).status).toBe(200);
});

test('the audit list is filtered by staff, action and subject', async () => {
  const { id: user } = await server.addUser();
  await boss.client.mutate('POST', '/api/admin/users/ban', { user_id: user });
  const list = async (query: object) => (await boss.client.call(auditList, { query: query as never })).body;
  expect(await list({ subject_kind: 'user', subject_id: String(user) })).toMatchObject([
    { staff: { id: boss.id }, action: 'user.ban', before: { role: 'User' }, after: { role: 'Banned' } },
  ]);
  expect((await list({ action: 'user' })).every(({ action }) => action.startsWith('user.'))).toBe(true);
  expect(await list({ staff: '999999' })).toEqual([]);
  expect((await list({ limit: '1' })).length).toBe(1);
});

test('money shows what waits by kind, and a difference is resolved with a comment', async () => {
  const { id: user } = await server.addUser();
  const operation = await addOperation(server, user, 'finished');
  await sql`update operations set lost = 700 where id = ${operation}`.execute(server.db);
  await sql`insert into money_anomalies (kind, subject, details, found_at)
    values ('orphan_hold', 'inv-1', '{"amount": 4200}', now())`.execute(server.db);
  const overview = async () => (await boss.client.call(moneyOverview)).body.kinds;
  expect(await overview()).toContainEqual({ kind: 'lost', count: 1, sum: 700 });
  expect(await overview()).toContainEqual({ kind: 'difference', count: 1, sum: 4200 });
  const [found] = (await boss.client.call(moneyCases, { params: { kind: 'difference' }, query: {} })).body;
  expect(found).toMatchObject({ code: 'orphan_hold', amount: 4200, is_resolvable: true });
  const params = { id: String(found?.id) };
  expect((await boss.client.call(resolveMoneyCase, { params, body: { comment: ' ' } })).status).toBe(422);
  expect((await boss.client.call(resolveMoneyCase, { params, body: { comment: 'Refunded by hand' } })).status).toBe(
    204,
  );
  expect((await boss.client.call(resolveMoneyCase, { params, body: { comment: 'Again' } })).status).toBe(404);
  expect(await overview()).toContainEqual({ kind: 'difference', count: 0, sum: 0 });
});

test('the terminator lists what was stopped and what is pending, by operation id descending [ADM-HLTH-16] [ADM-HLTH-06]', async () => {
  const { id: user } = await server.addUser();
  const [ended, running] = [await addOperation(server, user, 'finished'), await addOperation(server, user, 'ongoing')];
  await sql`insert into terminations (operation_id, type, noticed_at) values (${ended}, 'idle', now()),
    (${running}, 'away', now())`.execute(server.db);
  const { body } = await boss.client.call(getTerminations);
  expect(body.map(({ id, is_pending }) => [id, is_pending])).toEqual([
    [running, true],
    [ended, false],
  ]);
});

test('a shutdown is planned, begins, and is ended; each answer is the state after it [API-83] [API-84] [ADM-DOWN-03] [ADM-DOWN-05] [ADM-DOWN-02]', async () => {
  const down = async (start_time: string | null, end_time: string | null, text: string | null = null) =>
    (await boss.client.call(shutDown, { body: { start_time, end_time, text } })).body;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect(await down(tomorrow, null, 'New chargers')).toMatchObject({
    is_down: false,
    is_planned: true,
    text: 'New chargers',
  });
  expect((await server.client().call(isDown)).body.is_down).toBe(false);
  expect(await down(null, null)).toMatchObject({ is_down: true, is_planned: false, end_time: null });
  const driver = server.client();
  expect((await driver.call(isDown)).body.is_down).toBe(true);
  expect((await driver.get('/api/map/stations')).status).toBe(503);
  expect((await boss.client.call(shutdownState)).body.is_down).toBe(true);
  expect((await boss.client.call(turnOn)).body).toMatchObject({ is_down: false, is_planned: false });
  expect((await driver.get('/api/map/stations')).status).not.toBe(503);
  const wrong = { start_time: tomorrow, end_time: new Date().toISOString(), text: null };
  expect((await boss.client.call(shutDown, { body: wrong })).status).toBe(422);
  const actions = await server.db
    .selectFrom('audit')
    .select('action')
    .where('subject_kind', '=', 'service')
    .orderBy('id')
    .execute();
  expect(actions.map(({ action }) => action)).toEqual(['service.shut-down', 'service.shut-down', 'service.turn-on']);
});
