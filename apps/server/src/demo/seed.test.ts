import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../app/app.ts';
import { readConfig } from '../config/config.ts';
import { testDatabase } from '../testing/database.ts';
import { demoAccounts } from './accounts.ts';
import { seedDemo } from './seed.ts';

test('two demo nodes that start at once on an empty database fill it once', async () => {
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-seed-'));
  const env = { DATA_DIR: dataDir, SECRET: 's'.repeat(32), PORT: '0' };
  const node = () =>
    createApp({
      config: readConfig(env, { mode: 'demo', roles: ['api', 'gateway', 'worker'] }),
      databaseUrl: database.appUrl,
      log: pino({ level: 'silent' }),
    });
  const nodes = await Promise.all([node(), node()]);
  try {
    await Promise.all(nodes.map(seedDemo));
    const [first] = nodes;
    const count = async (table: 'tariffs' | 'stations' | 'users') => {
      const row = await first?.platform.db
        .selectFrom(table)
        .select((of) => of.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      return row?.n ?? 0;
    };
    const before = [await count('tariffs'), await count('stations'), await count('users')];
    expect(before[2]).toBeGreaterThanOrEqual(demoAccounts.length);
    if (first) await seedDemo(first);
    expect([await count('tariffs'), await count('stations'), await count('users')]).toEqual(before);
  } finally {
    await Promise.all(nodes.map((one) => one.stop()));
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 120_000);
