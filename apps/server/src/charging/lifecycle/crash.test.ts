import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { paymentRules } from '../../payments/nightly/ledger-rules.ts';
import { startProgram } from '../../testing/program.ts';
import type { ServerNode } from '../../testing/programs/server-node.ts';
import { freeTestPort } from '../../testing/server.ts';
import { type Stack, startStack } from '../../testing/stack.ts';
import { checkLedger, ledgerRules } from '../../wallet/check.ts';

/**
 * The charge is begun on this server; the process that dies is another one on the same database, which holds the charge
 * point's socket.
 */
const secret = randomBytes(32).toString('hex');
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { SECRET: secret } });
});
afterAll(() => stack.close());

async function startServer(port: number) {
  const now = Date.now();
  const node: ServerNode = {
    databaseUrl: stack.database.appUrl,
    env: { PORT: String(port), SECRET: secret, DATA_DIR: stack.config.dataDir, BANK_URL: stack.bankUrl },
    pace: { realAt: now, at: now, speed: 1 },
    usualSpeed: 1,
  };
  const program = await startProgram('server-node', JSON.stringify(node));
  await program.printed('listening');
  return program;
}

const row = async (id: number) =>
  stack.db
    .selectFrom('operations')
    .select(['status', 'energy_wh', 'total'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('field problems 40 and 41: kill -9 right after a burst of readings, and right after the stop, was answered: nothing answered is lost, the money is settled to the kopeck', async () => {
  const fixture = await stack.startCharge();
  await fixture.device.close();
  const port = await freeTestPort();
  const server = await startServer(port);
  const there = await fixture.connect(`ws://127.0.0.1:${port}/ocpp`);
  const burst = Array.from({ length: 20 }, (_, index) =>
    there.meter(1, fixture.transactionId, 1_000 + (index + 1) * 8),
  );
  await Promise.all(burst);
  await server.kill();
  expect(await row(fixture.id)).toMatchObject({ status: 'ongoing', energy_wh: 160 });

  const next = await startServer(port);
  const back = await fixture.connect(`ws://127.0.0.1:${port}/ocpp`);
  await back.stop(fixture.transactionId, 1_190);
  await next.kill();
  await vi.waitFor(
    async () => expect(await row(fixture.id)).toEqual({ status: 'finished', energy_wh: 190, total: 2_85 }),
    {
      timeout: 30_000,
    },
  );
  expect(await stack.wallet.balanceOf(fixture.userId)).toBe(1000_00 - 2_85);
  expect(await checkLedger(stack.db, [...ledgerRules, ...paymentRules])).toEqual([]);
}, 120_000);
