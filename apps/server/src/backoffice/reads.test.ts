import { auditList } from '@fpay/contract/admin/audit';
import { exportUsers } from '@fpay/contract/admin/export';
import { lastOperations } from '@fpay/contract/admin/operations';
import { search } from '@fpay/contract/admin/search';
import { adminUser, adminUsers } from '@fpay/contract/admin/users';
import { operationLog } from '@fpay/contract/charging';
import { userLog } from '@fpay/contract/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHead, checkAuditChain } from '../platform/audit-chain.ts';
import { addOperation } from '../testing/operation.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** Who looked at whose data is in the audit, once per reader, subject and hour. */
let server: TestServer;
let now = Date.parse('2026-11-18T10:05:00Z');
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => new Date(now) } });
});
afterAll(() => server.close());

const readsBy = async (staff: number) => {
  const rows = await server.db
    .selectFrom('audit')
    .select(['action', 'subject_kind', 'subject_id', 'after'])
    .where('staff_id', '=', staff)
    .where('action', 'like', 'read.%')
    .orderBy('id')
    .execute();
  return rows.map(({ action, subject_kind, subject_id, after }) => [
    `${action} ${subject_kind} ${subject_id}`,
    ...(after === null ? [] : [after]),
  ]);
};

test('a page and a log of a user and the log of an operation are recorded once an hour, own data is not [ADM-OP-33]', async () => {
  const reader = await server.signedIn('SuperAdmin');
  const other = await server.signedIn('SuperAdmin');
  const { id: user } = await server.addUser();
  const operation = await addOperation(server, user, 'finished');
  const read = async (client = reader.client) => {
    for (const id of [String(user), String(user)]) {
      expect((await client.call(adminUser, { params: { id } })).status).toBe(200);
      expect((await client.call(userLog, { params: { id } })).status).toBe(200);
    }
    expect((await client.call(operationLog, { params: { id: String(operation) } })).status).toBe(200);
  };
  await read();
  const once = [
    [`read.user user ${user}`],
    [`read.user-log user ${user}`],
    [`read.operation-log operation ${operation}`],
  ];
  expect(await readsBy(reader.id)).toEqual(once);
  await read(other.client);
  expect(await readsBy(other.id)).toEqual(once);
  now += 3_600_000;
  await read();
  expect(await readsBy(reader.id)).toEqual([...once, ...once]);

  const before = await readsBy(reader.id);
  await reader.client.call(adminUser, { params: { id: String(reader.id) } });
  expect((await reader.client.call(adminUser, { params: { id: '987654' } })).status).toBe(404);
  expect(await readsBy(reader.id)).toEqual(before);
  // What was read is no event of the user's own log.
  const log = await reader.client.call(userLog, { params: { id: String(user) } });
  expect(String(log.body)).not.toContain('read.');
  expect(await checkAuditChain(server.db)).toEqual([]);
});

test('a list is one record with its filter, and whole phone numbers are in none [ADM-OP-33]', async () => {
  const { client, id } = await server.signedIn('SuperAdmin');
  const [found, next] = [await server.addUser(), await server.addUser()];
  const list = { with_temp: false, count: 10 };
  for (const role of [undefined, 'User', undefined, 'User'] as const)
    await client.call(adminUsers, { body: { ...list, ...(role && { role }) } });
  await client.call(lastOperations, { params: { count: '5' }, body: { user: found.phone } as never });
  for (const q of [found.phone, next.phone, found.phone, 'nothing like this'])
    expect((await client.call(search, { query: { q } })).status).toBe(200);
  await client.call(exportUsers, { query: {} });
  const masked = (phone: string) => `••• ${phone.slice(-2)}`;
  expect(await readsBy(id)).toEqual([
    [`read.users list ${id}`, { with_temp: false }],
    [`read.users list ${id}`, { with_temp: false, role: 'User' }],
    [`read.operations list ${id}`, expect.objectContaining({ user: masked(found.phone) })],
    [`read.search list ${id}`, { q: masked(found.phone), people: [found.id] }],
    [`read.search list ${id}`, { q: masked(next.phone), people: [next.id] }],
  ]);
  const rows = await server.db.selectFrom('audit').selectAll().execute();
  expect(rows.map(({ action }) => action)).toContain('export.users');
  for (const { phone } of [found, next]) expect(JSON.stringify(rows)).not.toContain(phone.slice(1));
});

test('a record that is repeated within the hour costs no link of the chain, and the list names the reader [ADM-OP-33]', async () => {
  const { client, id } = await server.signedIn('SuperAdmin');
  const { id: user } = await server.addUser();
  await client.call(adminUser, { params: { id: String(user) } });
  const { seq } = await auditHead(server.db);
  await Promise.all(Array.from({ length: 5 }, () => client.call(adminUser, { params: { id: String(user) } })));
  expect((await auditHead(server.db)).seq).toBe(seq);
  const { body } = await client.call(auditList, { query: { action: 'read.user', staff: String(id) } });
  expect(body).toMatchObject([{ by: 'staff', staff: { id }, subject_kind: 'user', subject_id: String(user) }]);
});
