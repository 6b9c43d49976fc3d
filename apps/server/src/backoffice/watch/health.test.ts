import { getAnomalies, getCounters, getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Limits at which something becomes a finding, and until when it is shown. */
let server: TestServer;
let staff: Client;
let user: number;
beforeAll(async () => {
  server = await startTestServer({ env: { SUSPICIOUS_KWH: '90' } });
  staff = (await server.signedIn('Support')).client;
  user = (await server.addUser()).id;
});
afterAll(() => server.close());

const change = (id: number, changes: ReturnType<typeof sql>) =>
  sql`update operations set ${changes} where id = ${id}`.execute(server.db);

test('an operation waits for its payment for 15 minutes before it is stuck [ADM-HLTH-01]', async () => {
  const id = await addOperation(server, user, 'created');
  const codes = async () =>
    (await staff.call(getAnomalies)).body.filter(({ operation_id }) => operation_id === id).map(({ code }) => code);
  const since = (minutes: number) =>
    change(
      id,
      sql`created_at = now() - ${minutes} * interval '1 minute', status_at = now() - ${minutes} * interval '1 minute'`,
    );
  await since(14);
  expect(await codes()).toEqual([]);
  await since(16);
  expect(await codes()).toEqual(['e-sma-01']);
});

test('suspicious energy is above the threshold of the settings, of charges that closed over ten minutes ago [ADM-HLTH-11]', async () => {
  const id = await addOperation(server, user, 'finished');
  const codes = async () =>
    (await staff.call(getCounters)).body.filter(({ operation_id }) => operation_id === id).map(({ code }) => code);
  await change(id, sql`energy_wh = 90001, closed_at = now() - interval '9 minutes'`);
  expect(await codes()).toEqual([]);
  await change(id, sql`closed_at = now() - interval '11 minutes'`);
  expect(await codes()).toEqual(['e-scv-05']);
  await change(id, sql`energy_wh = 90000`);
  expect(await codes()).toEqual([]);
});

test('how long a charge may settle before it is a finding is a setting', async () => {
  const eager = await startTestServer({ env: { SUSPICIOUS_KWH: '90', SETTLED_MINUTES: '0' } });
  try {
    const { id: driver } = await eager.addUser();
    const id = await addOperation(eager, driver, 'finished');
    await sql`update operations set energy_wh = 90001, closed_at = now() - interval '1 second' where id = ${id}`.execute(
      eager.db,
    );
    const { client } = await eager.signedIn('Support');
    expect((await client.call(getCounters)).body.map(({ operation_id, code }) => [operation_id, code])).toEqual([
      [id, 'e-scv-05'],
    ]);
  } finally {
    await eager.close();
  }
});

test('operations that the watchdogs ended are listed for seven days', async () => {
  const id = await addOperation(server, user, 'finished');
  const listed = async () => (await staff.call(getTerminations)).body.filter((item) => item.id === id);
  await sql`insert into terminations (operation_id, type, noticed_at) values (${id}, 'idle', now() - interval '6 days 23 hours')`.execute(
    server.db,
  );
  expect(await listed()).toMatchObject([{ id, type: 'idle', amount: 300_00, total: 0 }]);
  await sql`update terminations set noticed_at = now() - interval '7 days 1 hour' where operation_id = ${id}`.execute(
    server.db,
  );
  expect(await listed()).toEqual([]);
});
