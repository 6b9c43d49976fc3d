import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kopecks } from '@fpay/contract/money';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { sql } from 'kysely';
import { createSessions } from '../src/account/sign-in/sessions.ts';
import { migrateProduct } from '../src/app/schema.ts';
import { keyHash } from '../src/ocpp/connections/charge-point-key.ts';
import { systemClock } from '../src/platform/clock.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { createSteps } from '../src/platform/step.ts';
import { checkLedger, ledgerRules } from '../src/wallet/check.ts';
import { createWalletService } from '../src/wallet/service.ts';
import { createWalletStore } from '../src/wallet/store.ts';
import { accountId, network } from '../src/wallet/transfer.ts';
import type { Place, Running, Whole } from './charging-clients.ts';
import { prepareTpcb, runTpcb } from './tpcb.ts';

/**
 * Measures whole operations, from the pay button to settled money, on one server process with charge points and drivers
 * in another; then how long a reading takes to reach a browser, and how long reading an operation takes, while two
 * thousand of them run.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const running = Number(process.env.BENCH_RUNNING ?? 2_000);
const atOnce = 32;
const goals = { readingToBrowserMs: 150, readOperationMs: 20 } as const;

const secret = 'a secret of the bench, long enough for one';
const key = Buffer.alloc(20, 7);
const quiet = { info() {}, warn: (fields: object, message: string) => console.warn(message, fields) };

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateProduct({ url: postgres.ownerUrl });
    await prepareTpcb(postgres.ownerUrl);
    const tpcb = await runTpcb(postgres.ownerUrl, { clients: 16, seconds });
    process.exitCode = (await measure(postgres.appUrl, tpcb)) ? 0 : 1;
  } finally {
    await postgres.stop();
    await removeEmbeddedPostgres(dataDir, 'full');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(databaseUrl: string, yardstick: number): Promise<boolean> {
  const { db, close } = openDatabase({ url: databaseUrl, poolSize: 8 });
  const places = await seed(db);
  const server = await start('charging-server.ts', [databaseUrl, secret]);
  const url = `http://127.0.0.1:${(server.first as { port: number }).port}`;
  const clients = await start('charging-clients.ts', [url]);
  await clients.ask({ kind: 'connect', places });
  const whole = (await clients.ask({ kind: 'whole', seconds, atOnce })) as unknown as Whole;
  const live = (await clients.ask({ kind: 'running', seconds: seconds * 3 })) as unknown as Running;
  const faults = await checkLedger(db, ledgerRules);
  await clients.end();
  await server.end();
  await close();

  print(yardstick, whole, live);
  if (faults.length > 0) console.error('the ledger does not balance', faults);
  const isMet = live.updated.p99 < goals.readingToBrowserMs && live.read.p99 < goals.readOperationMs;
  if (!isMet) console.error(`goals: under ${goals.readingToBrowserMs} ms and under ${goals.readOperationMs} ms`);
  return isMet && faults.length === 0;
}

function print(yardstick: number, whole: Whole, live: Running): void {
  const share = whole.perSecond / yardstick;
  console.log(`TPC-B with 16 clients                ${yardstick.toFixed(0)}/s`);
  console.log(
    `whole operations, ${atOnce} at once         ${whole.perSecond.toFixed(1)}/s, ${(share * 100).toFixed(1)}% of it`,
  );
  console.log(`  from pay to settled                p50 ${whole.p50.toFixed(0)} ms, p99 ${whole.p99.toFixed(0)} ms`);
  console.log(
    `operations running                   ${live.operations}, ${live.readingsPerSecond.toFixed(0)} readings/s`,
  );
  console.log(
    `reading sent → update in a browser   p50 ${live.updated.p50.toFixed(1)} ms, p99 ${live.updated.p99.toFixed(1)} ms (${live.updated.count})`,
  );
  console.log(
    `GET /api/operation/{id} meanwhile    p50 ${live.read.p50.toFixed(1)} ms, p99 ${live.read.p99.toFixed(1)} ms (${live.read.count})`,
  );
}

/** Creates a station, a charge point and a driver with balance and session for each operation. */
async function seed(db: Database): Promise<Place[]> {
  await sql`insert into tariffs (name, price) values ('bench', 1500)`.execute(db);
  await sql`insert into charge_points (identity, key_hash, booted_at, created_at, vendor, model, configuration)
    select 'CP' || n, ${keyHash(secret, key)}, now(), now(), 'V', 'M', '{"configuredFor":"V / M / "}'
    from generate_series(1, ${running}) n`.execute(db);
  await sql`insert into stations (number, address, address_uk, lat, lon, created_at)
    select 'F' || n, 'A', 'A', 48 + (n % 100) / 100.0, 35 + n / 10000.0, now() from generate_series(1, ${running}) n`.execute(
    db,
  );
  await sql`insert into connectors (station_id, charge_point_id, ocpp_connector, type, power_w, tariff_id)
    select s.id, c.id, 1, 'ccstype2', 60000, (select id from tariffs where name = 'bench')
    from charge_points c join stations s on s.number = 'F' || substr(c.identity, 3)`.execute(db);
  const { rows: users } = await sql<{ id: number; wallet: number }>`
    insert into users (name, phone_number, created_at)
    select 'Driver', '+38099' || lpad(i::text, 7, '0'), now() from generate_series(1, ${running}) i
    returning id, wallet_id as wallet`.execute(db);
  const { rows: connectors } = await sql<{ id: number; identity: string }>`
    select k.id, c.identity from connectors k join charge_points c on c.id = k.charge_point_id order by k.id`.execute(
    db,
  );
  const steps = createSteps(db, () => {});
  const wallet = createWalletService({ ledger: createWalletStore(db, systemClock) });
  const money = { kind: 'admin' as const, from: network.staff, amount: kopecks(1_000_000_00) };
  const gifts = users.map(({ id, wallet: to }) => ({ key: `bench:${id}`, to: accountId(to), ...money }));
  await steps.run((step) => wallet.transfer(step, gifts));
  const sessions = createSessions(db, systemClock);
  const places: Place[] = [];
  for (const [index, { id: connector, identity }] of connectors.entries()) {
    const { id: user = 0 } = users[index] ?? {};
    const session = await sessions.issue({ id: user, role: 'User' }, { ip: '127.0.0.1', userAgent: 'bench' }, null);
    const password = key.toString('hex');
    places.push({ identity, password, connector, user, token: session.token, csrf: session.csrfToken });
  }
  await sql`analyze`.execute(db).catch(() => {});
  return places;
}

async function start(file: string, args: string[]) {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  // When no result is awaited any more, the end of the process is expected.
  ended.catch(() => {});
  const word = async () => {
    const [said] = await Promise.race([once(child, 'message'), ended]);
    return said as Record<string, unknown>;
  };
  const first = await word();
  return {
    first,
    async ask(order: object): Promise<Record<string, unknown>> {
      child.send(order);
      return word();
    },
    async end(): Promise<void> {
      const exited = once(child, 'exit');
      child.send('end');
      await exited;
    },
  };
}

await main();
