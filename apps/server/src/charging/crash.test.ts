import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { paymentRules } from '../payments/check.ts';
import { startProgram } from '../testing/program.ts';
import type { ServerNode } from '../testing/programs/server-node.ts';
import { freePort } from '../testing/server.ts';
import { startWorld, type World } from '../testing/world.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';

/** The charge is begun on this server; what dies is another process on the same database, which holds the charge point's socket. */
const secret = randomBytes(32).toString('hex');
let world: World;
beforeAll(async () => {
  world = await startWorld({ env: { SECRET: secret } });
});
afterAll(() => world.close());

async function startServer(port: number) {
  const now = Date.now();
  const node: ServerNode = {
    databaseUrl: world.database.appUrl,
    env: { PORT: String(port), SECRET: secret, DATA_DIR: world.config.dataDir, BANK_URL: world.bankUrl },
    pace: { realAt: now, at: now, speed: 1 },
    usualSpeed: 1,
  };
  const program = startProgram('server-node', JSON.stringify(node));
  await program.printed('listening');
  return program;
}

const row = async (id: number) =>
  world.db
    .selectFrom('operations')
    .select(['status', 'energy_wh', 'total'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('field problems 40 and 41: kill -9 right after a burst of readings, and right after the stop, was answered: nothing answered is lost, the money is settled to the kopeck', async () => {
  const scene = await world.startCharge();
  await scene.device.close();
  const port = await freePort();
  const server = await startServer(port);
  const there = await scene.connect(`ws://127.0.0.1:${port}/ocpp`);
  const burst = Array.from({ length: 20 }, (_, index) => there.meter(1, scene.transactionId, 1_000 + (index + 1) * 8));
  await Promise.all(burst);
  await server.kill();
  expect(await row(scene.id)).toMatchObject({ status: 'ongoing', energy_wh: 160 });

  const next = await startServer(port);
  const back = await scene.connect(`ws://127.0.0.1:${port}/ocpp`);
  await back.stop(scene.transactionId, 1_190);
  await next.kill();
  await vi.waitFor(
    async () => expect(await row(scene.id)).toEqual({ status: 'finished', energy_wh: 190, total: 2_85 }),
    {
      timeout: 30_000,
    },
  );
  expect(await world.wallet.balanceOf(scene.userId)).toBe(1000_00 - 2_85);
  expect(await checkLedger(world.db, [...ledgerRules, ...paymentRules])).toEqual([]);
}, 120_000);
