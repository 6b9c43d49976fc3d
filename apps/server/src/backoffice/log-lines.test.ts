import { addNote } from '@fpay/contract/admin/notes';
import { operationLog } from '@fpay/contract/charging';
import { userLog } from '@fpay/contract/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../testing/operation.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Every character at which a program that shows or searches a log may begin a new line. */
const breaks = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const forged = '2026-11-18 10:00:00 staff 14: balance.increase  → {"amount":500000}';

test('a note with a line break cannot forge a line in the log of a user or of an operation', async () => {
  const support = await server.signedIn('Support');
  const boss = await server.signedIn('SuperAdmin');
  const { id: user } = await server.addUser();
  const operation = await addOperation(server, user, 'finished');
  for (const [subject, id] of [['user', user] as const, ['operation', operation] as const]) {
    for (const text of breaks.map((sign) => `calls often${sign}${forged}`)) {
      const { status } = await support.client.call(addNote, { params: { subject, id: String(id) }, body: { text } });
      expect(status).toBe(200);
    }
  }
  const logs = [
    String((await boss.client.call(userLog, { params: { id: String(user) } })).body),
    String((await boss.client.call(operationLog, { params: { id: String(operation) } })).body),
  ];
  for (const log of logs) {
    const lines = log.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
    expect(lines.filter((line) => line.startsWith('2026-11-18 10:00:00'))).toEqual([]);
    // The log of the user also has the lines of their operation.
    const notes = log === logs[0] ? 2 * breaks.length : breaks.length;
    expect(lines.filter((line) => line.includes('note: calls often'))).toHaveLength(notes);
  }
  expect(logs[1]).toContain(`note: calls often␊${forged}`);
});
