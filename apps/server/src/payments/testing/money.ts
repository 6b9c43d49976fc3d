import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '@fpay/sandbox';
import { testDatabase } from '../../testing/database.ts';
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

/**
 * One clock for us and the bank: it does not move until the test moves it, and then everything due on the way runs in
 * order.
 */
function createManualClock() {
  let now = Date.parse('2026-11-15T10:00:00Z');
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms: number) {
      now += ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
        if (!next) return;
        timers.delete(next);
        next.run();
      }
    },
  };
}
