import { getAnomalies, getCounters, getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createTimeline } from '../../testing/timeline.ts';

/** Limits at which something becomes a finding, and until when it is shown. */
const timeline = createTimeline();
let server: TestServer;
let staff: Client;
let user: number;
beforeAll(async () => {
  server = await startTestServer({ clock: timeline.server, env: { SUSPICIOUS_KWH: '90' } });
  staff = (await server.signedIn('Support')).client;
  user = (await server.addUser()).id;
});
afterAll(() => server.close());

const add = (status: 'created' | 'finished') => addOperation(server, user, status, timeline.server.now());
const change = (id: number, changes: ReturnType<typeof sql>) =>
  sql`update operations set ${changes} where id = ${id}`.execute(server.db);

test('an operation waits for its payment for 15 minutes before it is stuck [ADM-HLTH-01]', async () => {
  const id = await add('created');
  const codes = async () =>
    (await staff.call(getAnomalies)).body.filter(({ operation_id }) => operation_id === id).map(({ code }) => code);
  timeline.ahead({ minutes: 14 });
  expect(await codes()).toEqual([]);
  timeline.ahead({ minutes: 2 });
  expect(await codes()).toEqual(['e-sma-01']);
});

test('suspicious energy is above the threshold of the settings, of charges that closed over ten minutes ago [ADM-HLTH-11]', async () => {
  const id = await add('finished');
  const codes = async () =>
    (await staff.call(getCounters)).body.filter(({ operation_id }) => operation_id === id).map(({ code }) => code);
  await change(id, sql`energy_wh = 90001, closed_at = ${timeline.server.now()}`);
  timeline.ahead({ minutes: 9 });
  expect(await codes()).toEqual([]);
  timeline.ahead({ minutes: 2 });
  expect(await codes()).toEqual(['e-scv-05']);
  await change(id, sql`energy_wh = 90000`);
  expect(await codes()).toEqual([]);
});

test('how long a charge may settle before it is a finding is a setting', async () => {
  const later = createTimeline();
  const eager = await startTestServer({ clock: later.server, env: { SUSPICIOUS_KWH: '90', SETTLED_MINUTES: '0' } });
  try {
    const { id: driver } = await eager.addUser();
    const id = await addOperation(eager, driver, 'finished');
    const closedAt = later.server.now();
    await sql`update operations set energy_wh = 90001, closed_at = ${closedAt} where id = ${id}`.execute(eager.db);
    later.ahead({ seconds: 1 });
    const { client } = await eager.signedIn('Support');
    expect((await client.call(getCounters)).body.map(({ operation_id, code }) => [operation_id, code])).toEqual([
      [id, 'e-scv-05'],
    ]);
  } finally {
    await eager.close();
  }
});

test('operations that the watchdogs ended are listed for seven days', async () => {
  const id = await add('finished');
  const listed = async () => {
    // Days pass here, and a staff session ends after twelve hours.
    const { client } = await server.signedIn('Support');
    return (await client.call(getTerminations)).body.filter((item) => item.id === id);
  };
  const noticedAt = timeline.server.now();
  await sql`insert into terminations (operation_id, type, noticed_at) values (${id}, 'idle', ${noticedAt})`.execute(
    server.db,
  );
  timeline.ahead({ days: 6, hours: 23 });
  expect(await listed()).toMatchObject([{ id, type: 'idle', amount: 300_00, total: 0 }]);
  timeline.ahead({ hours: 2 });
  expect(await listed()).toEqual([]);
});
