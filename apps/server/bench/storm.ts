import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import pg from 'pg';
import { migrateProduct } from '../src/app/schema.ts';
import { type SeededPoint, seedChargePoints } from './charge-points.ts';
import { watchDatabaseCpu } from './database-cpu.ts';
import type { Order } from './gateway-clients.ts';
import { type Part, startPart } from './processes.ts';
import { forgetStatements, printStatements, startCountingStatements } from './statements.ts';

/**
 * Storms of devices on the whole product: one server process with all roles, with the whole demo network, and the charge
 * points in processes of their own, whose CPU time is counted apart. `gateway.ts` measures the gateway alone.
 *
 * Transactions and statements do not depend on what else the machine does. CPU time of a message grows with a busy machine,
 * and rates say nothing there.
 */
const secret = 'a secret of the bench, long enough for one';
const seconds = Number(process.argv[2] ?? 10);
const points = Number(process.argv[3] ?? 10_000);
const warmUpSeconds = Number(process.env.WARM ?? 12);
const goals = { statuses: 5_000, lastStartMs: 10_000, bootedSeconds: 35 } as const;
const statusSockets = 200;
const settledMs = 15_000;
const starts = Math.min(2_000, points);
/** `ONLY=statuses`, `ONLY=starts` or `ONLY=kill` runs one part. */
const isWanted = (part: string) => (process.env.ONLY ?? part) === part;

/** `STATEMENTS=1` prints what PostgreSQL ran for one start and one boot. */
const isCounting = process.env.STATEMENTS !== undefined;

const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
const postgres = await (isCounting ? startCountingStatements : startEmbeddedPostgres)({
  dataDir,
  log: { info() {}, warn: (fields, message) => console.warn(message, fields) },
});
const databaseCpuMs = await watchDatabaseCpu(postgres.ownerUrl);
const port = await freePort();
const url = `ws://127.0.0.1:${port}/ocpp`;
const startServer = () => startPart('charging-server.ts', [postgres.appUrl, secret, String(port), 'demo']);
let isFine = true;
try {
  await migrateProduct({ url: postgres.ownerUrl });
  const server = { now: await startServer() };
  if (isWanted('statuses')) {
    await statuses(server.now, 'without a charge', await seed(statusSockets, 'none', 1));
    await statuses(server.now, 'with a running charge', await seed(statusSockets, 'charging', 1_000));
  }
  if (isWanted('starts')) await startsAtOnce(server.now, await seed(starts, 'starting', 10_000));
  if (isWanted('kill')) await kill(server, await seed(points, 'none', 20_000));
  await server.now.end();
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = isFine ? 0 : 1;

function seed(count: number, operations: 'charging' | 'starting' | 'none', first: number): Promise<SeededPoint[]> {
  return seedChargePoints(postgres.ownerUrl, { secret, count, first, operations });
}

function judge(isReached: boolean): string {
  isFine &&= isReached;
  return isReached ? '' : ' MISSED';
}

/** CPU time and transactions while something runs. */
async function counted<T>(server: Part, clients: Part, run: () => Promise<T>) {
  const look = async () => ({
    at: performance.now(),
    server: Number((await server.ask('cpu')).cpuMs),
    clients: Number((await clients.ask({ kind: 'cpu' } satisfies Order)).cpuMs),
    database: databaseCpuMs(),
    transactions: await transactions(),
  });
  const before = await look();
  const result = await run();
  const after = await look();
  const ms = after.at - before.at;
  const of = (which: keyof typeof after) => after[which] - before[which];
  return {
    result,
    ms,
    server: of('server'),
    clients: of('clients'),
    database: of('database'),
    commits: of('transactions'),
  };
}

type Counted = Awaited<ReturnType<typeof counted>>;

function costs({ server, clients, database, commits }: Counted, count: number): string {
  return (
    `CPU for one: server ${((1_000 * server) / count).toFixed(0)} µs, PostgreSQL ${((1_000 * database) / count).toFixed(0)} µs, ` +
    `clients ${((1_000 * clients) / count).toFixed(0)} µs; ${(commits / count).toFixed(2)} transactions`
  );
}

/** Every status changes a connector, and one in six is one that charging listens to. */
async function statuses(server: Part, name: string, seeded: SeededPoint[]): Promise<void> {
  const clients = await startPart('gateway-clients.ts', []);
  await clients.ask({ kind: 'connect', url, points: seeded } satisfies Order);
  const order = { kind: 'saturate', message: 'StatusNotification' } as const;
  await clients.ask({ ...order, seconds: warmUpSeconds } satisfies Order);
  const run = await counted(server, clients, () => clients.ask({ ...order, seconds } satisfies Order));
  const { messages, perSecond, p99 } = run.result as { messages: number; perSecond: number; p99: number };
  await clients.end();
  const verdict = judge(perSecond >= goals.statuses);
  console.log(
    `StatusNotification, ${name}: ${Math.round(perSecond)}/s (at least ${goals.statuses})${verdict}, p99 ${p99.toFixed(0)} ms; ` +
      costs(run, messages),
  );
}

async function startsAtOnce(server: Part, seeded: SeededPoint[]): Promise<void> {
  const clients = await startPart('gateway-clients.ts', []);
  await clients.ask({ kind: 'connect', url, points: seeded, boots: true, insistMs: 30_000 } satisfies Order);
  // Their configuration is read and their statuses are requested first; that is no part of a start.
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  if (isCounting) await forgetStatements(postgres.adminUrl);
  const run = await counted(server, clients, () => clients.ask({ kind: 'starts' } satisfies Order));
  if (isCounting) await printStatements(postgres.adminUrl, seeded.length);
  if (isCounting) await forgetStatements(postgres.adminUrl);
  const after = await counted(server, clients, lookedAt);
  if (isCounting) await printStatements(postgres.adminUrl, seeded.length);
  const { answered, asked, p50, last } = run.result as { answered: number; asked: number; p50: number; last: number };
  await clients.end();
  const verdict = judge(answered === asked && last <= goals.lastStartMs);
  console.log(
    `StartTransaction: ${answered} of ${asked} at once accepted, half of them in ${(p50 / 1_000).toFixed(1)} s, the last in ` +
      `${(last / 1_000).toFixed(1)} s (within ${goals.lastStartMs / 1_000})${verdict}; the clients used ` +
      `${(run.clients / run.ms).toFixed(2)} cores; ${costs(run, asked)}`,
  );
  console.log(`the first check of each charge, ${(after.ms / 1_000).toFixed(1)} s more: ${costs(after, asked)}`);
}

/** Two seconds after its start each charge is looked at, to give its limit to the device. */
async function lookedAt(): Promise<void> {
  const isDue = async () =>
    (
      await rowsOf(
        "select from operations where status = 'ongoing' and next_action_at < now() + interval '3 s' limit 1",
      )
    ).length > 0;
  while (await isDue()) await new Promise((resolve) => setTimeout(resolve, 500));
}

async function cpuOf(part: Part) {
  return { server: Number((await part.ask('cpu')).cpuMs), database: databaseCpuMs() };
}

/** Two client processes, so that the server is measured and not one client. */
async function kill(server: { now: Part }, seeded: SeededPoint[]): Promise<void> {
  const crowd = [await startPart('gateway-clients.ts', []), await startPart('gateway-clients.ts', [])];
  const half = Math.ceil(seeded.length / 2);
  const shares = [seeded.slice(0, half), seeded.slice(half)];
  const connectAll = () =>
    Promise.all(
      crowd.map((clients, index) => {
        const order: Order = {
          kind: 'connect',
          url,
          points: shares[index] ?? [],
          boots: true,
          atOnce: 500,
          insistMs: 120_000,
        };
        return clients.ask(order);
      }),
    );
  await connectAll();
  if (isCounting) await forgetStatements(postgres.adminUrl);
  const killedAt = performance.now();
  await server.now.kill();
  await Promise.all(crowd.map((clients) => clients.ask({ kind: 'drop' } satisfies Order)));
  const coming = startServer().then(async (part) => {
    server.now = part;
    return { seconds: (performance.now() - killedAt) / 1_000, ...(await cpuOf(part)) };
  });
  const back = (await connectAll()) as { failed: number }[];
  const took = (performance.now() - killedAt) / 1_000;
  const ready = await coming;
  const booted = await cpuOf(server.now);
  if (isCounting) await printStatements(postgres.adminUrl, seeded.length);
  const perBoot = (ms: number) => ((1_000 * ms) / seeded.length).toFixed(0);
  const failed = back.reduce((sum, one) => sum + one.failed, 0);
  const verdict = judge(failed === 0 && took <= goals.bootedSeconds);
  console.log(
    `after a kill: ${seeded.length - failed} of ${seeded.length} charge points booted in ${took.toFixed(1)} s ` +
      `(within ${goals.bootedSeconds})${verdict}; the server took ${ready.seconds.toFixed(1)} s of them to start; ` +
      `CPU for one boot after that: server ${perBoot(booted.server - ready.server)} µs, ` +
      `PostgreSQL ${perBoot(booted.database - ready.database)} µs`,
  );
  for (const clients of crowd) await clients.end();
}

async function transactions(): Promise<number> {
  const [row] = await rowsOf('select xact_commit as count from pg_stat_database where datname = current_database()');
  return Number(row?.count);
}

async function rowsOf(text: string): Promise<{ count?: string }[]> {
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ count?: string }>(text);
  await client.end();
  return rows;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
