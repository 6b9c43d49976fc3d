import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  // No bank answers there; the books must be checked all the same.
  server = await startTestServer({ env: { BANK_URL: 'http://127.0.0.1:9' } });
});
afterAll(() => server.close());

const faults = async () => {
  const figures = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  return Number(/^fpay_ledger_faults (-?\d+)$/m.exec(figures)?.[1]);
};
const checkNow = () => server.steps.run((step) => server.jobs.send(step, 'ledger.nightly', {}));
const soon = { timeout: 25_000, interval: 100 };

test('every night, in Kyiv time, the books are compared with the bank’s statement and checked', async () => {
  const { rows } = await sql<object>`
    select name, cron, timezone from pgboss.schedule where name in ('money.nightly', 'ledger.nightly') order by name`.execute(
    server.db,
  );
  expect(rows).toEqual([
    { name: 'ledger.nightly', cron: '50 3 * * *', timezone: 'Europe/Kyiv' },
    { name: 'money.nightly', cron: '40 3 * * *', timezone: 'Europe/Kyiv' },
  ]);
});

test('the number of faults that the nightly check finds is a metric; an unreachable bank does not keep it from checking', async () => {
  await server.steps.run((step) => server.jobs.send(step, 'money.nightly', {}));
  await checkNow();
  await vi.waitFor(async () => expect(await faults()).toBe(0), soon);

  const { id } = await server.addUser();
  await server.db
    .insertInto('payments')
    .values({
      purpose: 'top_up',
      method: 'bank',
      user_id: id,
      amount: 100_00,
      captured: 100_00,
      status: 'success',
      description: 'Money that no transfer knows of',
      created_at: new Date(),
    })
    .execute();
  await checkNow();
  await vi.waitFor(async () => expect(await faults()).toBe(1), soon);

  // Each fault is listed for staff, once however often it is found.
  await checkNow();
  const listed = () => server.payments.anomalies.open({ limit: 10 });
  await vi.waitFor(async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ledger_checks`.execute(server.db);
    expect(rows[0]?.count).toBe(3);
  }, soon);
  expect(await listed()).toMatchObject([
    {
      kind: 'ledger_fault',
      subject: expect.stringMatching(/^payment \d+: a card payment agrees with clearing$/),
      details: { expected: 100_00, booked: 0 },
    },
  ]);
}, 60_000);
