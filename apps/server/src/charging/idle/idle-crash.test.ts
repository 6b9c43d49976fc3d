import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProgram } from '../../testing/program.ts';
import type { ServerNode } from '../../testing/programs/server-node.ts';
import { freeTestPort } from '../../testing/server.ts';
import { startIdleStack } from '../testing/idle-stack.ts';

/** The device is connected to a process that is killed while the settlement waits for the plug. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });
const secret = randomBytes(32).toString('hex');
let stack: Awaited<ReturnType<typeof startIdleStack>>;
beforeAll(async () => {
  stack = await startIdleStack({ timeout: 40_000, env: { SECRET: secret } });
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

test('kill -9 while idle time is counted: what was observed stays, the rest is not billed, and the money is settled once', async () => {
  const charge = await stack.startCharge();
  await charge.device.close();
  const port = await freeTestPort();
  const server = await startServer(port);
  const there = await charge.connect(`ws://127.0.0.1:${port}/ocpp`);
  await there.status(1, 'Charging');
  await there.meter(1, charge.transactionId, 1_100);
  await there.stop(charge.transactionId, 1_100);
  await there.status(1, 'Finishing');
  await vi.waitFor(async () => expect((await stack.read(charge)).idle?.cause).toBe('plugged_in'), stack.soon);
  await sql`update idle_intervals set began_at = began_at - interval '13 minutes'
    where operation_id = ${charge.id} and is_open`.execute(stack.db);
  await vi.waitFor(async () => expect((await stack.read(charge)).idle?.total).toBe(6_00), stack.soon);
  await server.kill();
  // The node is dead, so the device is not observed; the other node goes on looking and counts nothing.
  await vi.waitFor(async () => expect((await stack.read(charge)).idle?.cause).toBeNull(), stack.soon);
  const { idle } = await stack.read(charge);
  expect(idle?.total).toBeLessThanOrEqual(6_00);
  const back = await charge.connect();
  await back.status(1, 'Available');
  const finished = await stack.until(charge.client, charge.id, 'finished', 40_000);
  expect(finished.idle?.total).toBe(idle?.total);
  expect(finished.total).toBe(1_50 + (idle?.total ?? 0));
  expect(await stack.wallet.balanceOf(charge.userId)).toBe(1000_00 - finished.total);
  await stack.checkBooks();
});
