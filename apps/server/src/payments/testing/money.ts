import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '@fpay/sandbox';
import { testDatabase } from '../../testing/database.ts';
import { createManualClock } from './manual-clock.ts';
import { type MoneyOptions, wireMoney } from './wire-money.ts';

/**
 * All of money with its own database and the sandbox's bank behind real HTTP. Time passes only when the test moves it.
 */
export async function startMoney(options: MoneyOptions = {}) {
  const database = await testDatabase();
  const manual = createManualClock();
  const clock = { now: () => new Date(manual.now()) };
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bank-'));
  const sandbox = await createSandbox({ dataDir, clock: manual });
  const bankUrl = `${await sandbox.listen({ host: '127.0.0.1', port: 0 })}/bank`;
  const money = wireMoney({ databaseUrl: database.appUrl, bankUrl, clock, ...options });

  /** Lets time pass, with a stop wherever something is due. */
  async function pass(ms: number): Promise<void> {
    const end = manual.now() + ms;
    for (;;) {
      const due = (await money.nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY;
      const stop = Math.min(end, Math.max(due, manual.now()));
      manual.advance(stop - manual.now());
      await money.runDue();
      if (stop >= end) return;
    }
  }

  return {
    ...money,
    database,
    manual,
    pass,
    async close(): Promise<void> {
      await sandbox.close();
      rmSync(dataDir, { recursive: true, force: true });
      await money.close();
      await database.drop();
    },
  };
}

export type MoneyFixture = Awaited<ReturnType<typeof startMoney>>;
