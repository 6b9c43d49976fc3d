import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '@fpay/contract/account';
import type { Role } from '@fpay/contract/roles';
import { type Logger, pino } from 'pino';
import { cheapPasswordHash } from '../account/testing/password-hash.ts';
import { createApp } from '../app/app.ts';
import type { Features } from '../app/features.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Timings } from '../ocpp/timings.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { createTestClient } from './client.ts';
import { testDatabase } from './database.ts';

export interface TestServerOptions {
  clock?: Clock;
  config?: Partial<Config>;
  /** Environment variables as an operator would set them. */
  env?: Record<string, string>;
  /** Another node on the same database. */
  database?: Awaited<ReturnType<typeof testDatabase>>;
  log?: Logger;
  /** A test whose clock jumps gives its sockets a longer silence, because no device speaks during the jump. */
  timings?: Partial<Timings>;
}

const password = 'a-test-password';

/** The whole server on a free port, with its own database. */
export async function startTestServer({
  clock = systemClock,
  config = {},
  env = {},
  database,
  log = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  timings = {},
}: TestServerOptions = {}) {
  const usedDatabase = database ?? (await testDatabase());
  const port = await freeTestPort();
  const settings = readConfig(
    {
      PORT: String(port),
      SECRET: randomBytes(32).toString('hex'),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'fpay-test-')),
      ...env,
    },
    { mode: 'demo', roles: ['api', 'gateway', 'worker'] },
  );
  const given = { config: { ...settings, ...config }, databaseUrl: usedDatabase.appUrl };
  const app = await createApp({ ...given, log, clock, timings });
  const { metricsPort } = await app.start();
  const url = `http://127.0.0.1:${port}`;
  // Signed with the server's own time, which a test may have moved.
  const now = () => clock.now().getTime();
  let users = 0;

  return {
    ...app,
    ...app.platform,
    ...partsOf(app.features),
    url,
    port,
    metricsPort,
    config: { ...settings, ...config },
    database: usedDatabase,
    client: () => createTestClient(url, now),
    /** A new user of this role, not signed in. */
    async addUser(role: Role = 'User'): Promise<{ id: number; phone: string; password: string }> {
      users += 1;
      const phone = `+38067${String(port % 1000).padStart(3, '0')}${String(users).padStart(4, '0')}`;
      const passwordHash = await cheapPasswordHash(password);
      const id = await app.platform.steps.run((step) =>
        app.features.accounts.users.add(step, { name: `${role} ${users}`, phone, passwordHash, role }),
      );
      return { id, phone, password };
    },
    /** A client signed in as a new user of this role. */
    async signedIn(role: Role = 'User') {
      const user = await this.addUser(role);
      const client = createTestClient(url, now);
      const { status } = await client.call(signIn, { body: { phone_number: user.phone, password } });
      if (status !== 200) throw new Error(`sign-in of a test user answered ${status}`);
      return { client, id: user.id, phone: user.phone };
    },
    async close(): Promise<void> {
      await app.stop();
      if (!database) await usedDatabase.drop();
    },
  };
}

/** The parts that tests use most, under short names. */
function partsOf({ accounts, charging, maintenance, messages, ocpp, payments, stations, wallet }: Features) {
  const { ledger, service, gifts, staffMoney, sharedWallets } = wallet;
  const { users, sessions } = accounts;
  return {
    accounts,
    users,
    sessions,
    messages,
    charging,
    operations: charging.operations,
    payments,
    bank: payments.banks.current,
    wallet: service,
    ledger,
    gifts,
    staffMoney,
    sharedWallets,
    commands: ocpp.commands,
    stations: stations.service,
    maintenance: maintenance.service,
  };
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export function freeTestPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
