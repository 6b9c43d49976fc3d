import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createMetrics } from '../../platform/watching/metrics.ts';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { networkMetrics } from './network-metrics.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('the figures of the network come from the database, and one reading serves several scrapes', async () => {
  const user = (await server.addUser()).id;
  const { now } = await sql<{ now: Date }>`select now() as now`
    .execute(server.db)
    .then(({ rows }) => rows[0] ?? { now: new Date() });
  let nowMs = now.getTime();
  const metrics = createMetrics();
  networkMetrics({ db: server.db, clock: { ...systemClock, now: () => new Date(nowMs) }, metrics });
  const figure = async (line: string) => {
    const text = await metrics.registry.metrics();
    const found = text.split('\n').find((row) => row.startsWith(`${line} `));
    return found === undefined ? null : Number(found.slice(line.length + 1));
  };

  const change = (id: number, changes: ReturnType<typeof sql>) =>
    sql`update operations set ${changes} where id = ${id}`.execute(server.db);
  const started = await addOperation(server, user, 'ongoing');
  await change(
    started,
    sql`created_at = ${now}, start_sent_at = ${now}, started_at = ${now}::timestamptz + interval '4 seconds'`,
  );
  const failed = await addOperation(server, user, 'finished');
  await change(failed, sql`status = 'failed', created_at = ${now}, started_at = null`);
  const unpaid = await addOperation(server, user, 'finished');
  await change(
    unpaid,
    sql`status = 'pending_final_payment', created_at = ${now}::timestamptz - interval '2 hours', finished_at = ${now}::timestamptz - interval '1 hour', total = 12345`,
  );

  expect(await figure('fpay_operations_open{status="ongoing"}')).toBe(1);
  expect(await figure('fpay_charging_attempts_last_hour{result="started"}')).toBe(1);
  expect(await figure('fpay_charging_attempts_last_hour{result="failed"}')).toBe(1);
  expect(await figure('fpay_start_latency_seconds{quantile="0.95"}')).toBe(4);
  expect(await figure('fpay_settlement_oldest_seconds')).toBe(3600);
  expect([await figure('fpay_debts'), await figure('fpay_debts_hryvnias')]).toEqual([1, 123.45]);

  await change(started, sql`status = 'finished'`);
  expect(await figure('fpay_operations_open{status="ongoing"}')).toBe(1);
  nowMs += 11_000;
  expect(await figure('fpay_operations_open{status="ongoing"}')).toBe(0);
});
