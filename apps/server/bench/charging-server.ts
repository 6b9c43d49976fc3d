import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../src/app/app.ts';
import { readConfig } from '../src/config/config.ts';
import { seedDemo } from '../src/demo/seed.ts';

/** One server process with all roles, as it runs in production, on the database of the bench. */
const [databaseUrl = '', secret = '', wantedPort = '0', network = 'none'] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-server-'));
const env = {
  PORT: wantedPort,
  SECRET: secret,
  DATA_DIR: dataDir,
  BANK_URL: 'http://127.0.0.1:9',
  TRUST_PROXY: '127.0.0.1',
};
const config = readConfig(env, { mode: 'demo', roles: ['api', 'gateway', 'worker'] });
const app = await createApp({ config: { ...config, mode: 'production' }, databaseUrl, log: pino({ level: 'error' }) });
if (network === 'demo') await seedDemo(app);
const { port } = await app.start();
// An aborted bench leaves no process running.
process.on('disconnect', () => process.exit());
process.on('message', (word) => {
  if (word === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000 });
  }
  if (word !== 'end') return;
  rmSync(dataDir, { recursive: true, force: true });
  process.exit();
});
process.send?.({ port });
