import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { examineDatabase } from '../cli/doctor/database.ts';
import { prepareProduct } from '../testing/product-cluster.ts';
import { type ClusterRoom, openClusterRoom, type RealCluster, systemPrograms } from '../testing/real-cluster.ts';
import { freeTestPort, startTestServer, type TestServer } from '../testing/server.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/** The product behind a real PgBouncer in transaction mode with few connections (Debian: pgbouncer, postgresql). */
const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
const serverConnections = 6;

let room: ClusterRoom;
let cluster: RealCluster;
let pool: ChildProcess;
let stack: Stack;
let other: TestServer;
let pooledUrl: string;
let directUrl: string;

beforeAll(async () => {
  if (program === undefined) throw new Error('PgBouncer is not installed here (Debian: apt-get install pgbouncer)');
  room = await openClusterRoom({ programs: systemPrograms() });
  cluster = await room.create('a');
  await cluster.start();
  const database = await prepareProduct(cluster);
  for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
    await cluster.query(`alter role fpay_app set ${limit} = '15s'`);
  const port = await freeTestPort();
  const file = join(room.dir, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
fpay = host=127.0.0.1 port=${cluster.port} dbname=fpay user=fpay_app
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 500
server_login_retry = 1
`,
  );
  const { uid, gid } = statSync(room.dir);
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  pool = spawn(program, ['-q', file], { ...account, stdio: ['ignore', 'ignore', 'inherit'] });
  pooledUrl = `postgres://fpay_app@127.0.0.1:${port}/fpay`;
  directUrl = database.appUrl;
  const env = { DIRECT_DATABASE_URL: directUrl, SECRET: '5e3a91c7d2e6f80b35a1d49c7e2f6b80' };
  const behind = { ...database, appUrl: pooledUrl };
  stack = await startStack({ database: behind, env });
  other = await startTestServer({ database: behind, env: { ...env, BANK_URL: stack.bankUrl } });
}, 400_000);
afterAll(async () => {
  await other?.close();
  await stack?.close();
  pool?.kill('SIGTERM');
  await room?.remove();
});

test('twenty charges from the balance and by card run through the pool with six connections, and the books are right', async () => {
  const charges = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const isCard = index % 2 === 0;
      const station = await stack.addScripted();
      const { client } = await stack.driver(isCard ? 0 : 500_00);
      const payment = {
        connector: station.connector,
        amount: '150',
        payment_type: isCard ? 'card' : 'balance',
      } as const;
      const { body } = await stack.pay(client, payment);
      if (isCard) await stack.payAtBank(body.page_url);
      const { idTag } = await station.device.asked('RemoteStartTransaction');
      const { transactionId } = await station.device.start(1, String(idTag), 0);
      for (let wh = 20; wh <= 100; wh += 20) await station.device.meter(1, transactionId, wh);
      await station.device.stop(transactionId, 100);
      return transactionId;
    }),
  );
  await vi.waitFor(
    async () => {
      const rows = await stack.db
        .selectFrom('operations as o')
        .innerJoin('ocpp_transactions as t', 't.operation_id', 'o.id')
        .select(['o.status', 'o.total'])
        .where('t.id', 'in', charges)
        .execute();
      expect(rows).toEqual(charges.map(() => ({ status: 'finished', total: 1_50 })));
    },
    { timeout: 60_000, interval: 500 },
  );
  await stack.checkBooks();
  const rows = await cluster.query<{ count: string }>(
    "select count(*) from pg_stat_activity where usename = 'fpay_app' and application_name <> 'psql'",
  );
  // The pool's connections and a listener for each of the two nodes.
  expect(Number(rows[0]?.count)).toBeLessThanOrEqual(serverConnections + 2);
  expect(await cluster.query('select count(*)::int as count from pg_prepared_statements')).toEqual([{ count: 0 }]);
}, 300_000);

test('an event of one node reaches the other at once, and one node leads', async () => {
  const received: number[] = [];
  other.outbox.subscribe('maintenance', () => received.push(Date.now()));
  // The sweep once a second would hide a lost NOTIFY, so the quickest of ten counts.
  const delays: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    const sentAt = Date.now();
    const seen = received.length;
    await stack.steps.run(async (step) => step.publish('maintenance', 'now' as never));
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(seen), { timeout: 5_000, interval: 5 });
    delays.push(Date.now() - sentAt);
  }
  expect(delays.sort((x, y) => x - y)[4]).toBeLessThan(500);
  expect([stack.outbox.isLeader(), other.outbox.isLeader()].filter(Boolean)).toHaveLength(1);
}, 60_000);

test('the doctor accepts the pool, and finds one where the direct address should be', async () => {
  const settings = { ...stack.config, databaseUrl: pooledUrl, migrationDatabaseUrl: null };
  const found = async (directDatabaseUrl: string) =>
    (await examineDatabase({ ...settings, directDatabaseUrl })).map(({ found: text }) => text).join('\n');
  const right = await found(directUrl);
  expect(right).toContain('DIRECT_DATABASE_URL keeps a session');
  expect(right).not.toContain('no time limit');
  expect(await found(pooledUrl)).toContain('leads to a pool too');
}, 60_000);
