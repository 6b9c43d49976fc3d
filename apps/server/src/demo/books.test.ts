import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRules } from '../payments/nightly/ledger-rules.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import { seedDemo } from './seed.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('the books of the demo are consistent from the start', async () => {
  await seedDemo(server);
  const { count } = await server.db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'finished')
    .executeTakeFirstOrThrow();
  expect(count).toBeGreaterThan(10);
  expect(await checkLedger(server.db, [...ledgerRules, ...paymentRules])).toEqual([]);
}, 120_000);
