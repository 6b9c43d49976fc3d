import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareProduct, productAt } from '../testing/product-cluster.ts';
import { type ClusterRoom, openClusterRoom, type RealCluster, systemPrograms } from '../testing/real-cluster.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/**
 * Backups by the scripts of `deploy/backup`, while drivers charge and pay: a copy of the running cluster with the WAL
 * archive restored to a moment in between, and a dump. Needs the programs of PostgreSQL (Debian: postgresql).
 */
const scripts = fileURLToPath(new URL('../../../../deploy/backup/', import.meta.url));
const ledgerCheck = fileURLToPath(new URL('../cli/ledger-check.ts', import.meta.url));

let room: ClusterRoom;
let primary: RealCluster;
let stack: Stack;
let archive: string;
let backups: string;
const said: string[] = [];

/** As the account of PostgreSQL, like cron would run it. */
async function script(name: string, ...args: string[]): Promise<string> {
  const { uid, gid } = statSync(room.dir);
  const env = { PATH: `${room.programs}:/usr/bin:/bin` };
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  const { stdout } = await promisify(execFile)('sh', [join(scripts, name), ...args], {
    ...account,
    cwd: room.dir,
    env,
  });
  said.push(`$ deploy/backup/${name} ${args.map((word) => (/\s/.test(word) ? `'${word}'` : word)).join(' ')}`);
  said.push(...stdout.trimEnd().split('\n'));
  return stdout;
}

function folder(name: string): string {
  const path = join(room.dir, name);
  mkdirSync(path);
  const { uid, gid } = statSync(room.dir);
  chownSync(path, uid, gid);
  return path;
}

/** A driver pays from the balance, charges and gets the rest back. */
async function charge(): Promise<number> {
  const { id, client, device, transactionId } = await stack.startCharge('150', 1_000);
  await device.meter(1, transactionId, 1_050);
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  return id;
}

/** A driver pays with a card; what was used is captured at the bank. */
async function chargeByCard(): Promise<number> {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const { body } = await stack.pay(client, { connector: station.connector, amount: '150', payment_type: 'card' });
  await stack.payAtBank(body.page_url);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 0);
  await station.device.meter(1, transactionId, 50);
  await station.device.stop(transactionId, 100);
  const { id } = await stack.db
    .selectFrom('ocpp_transactions')
    .select('operation_id as id')
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow();
  await stack.until(client, Number(id), 'finished');
  return Number(id);
}

async function check(cluster: RealCluster): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: productAt(cluster).appUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [ledgerCheck], { env });
  said.push('$ npm run ledger:check', stdout.trimEnd());
  return stdout;
}

const operationsAt = async (cluster: RealCluster) =>
  (await cluster.query<{ id: string }>('select id from operations order by id', 'fpay')).map(({ id }) => Number(id));

beforeAll(async () => {
  const programs = systemPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed here (Debian: apt-get install postgresql)');
  room = await openClusterRoom({ programs });
  archive = folder('wal');
  backups = folder('backups');
  primary = await room.create('primary', {
    archive_mode: 'on',
    archive_command: `${scripts}archive-wal.sh ${archive} %p %f`,
    wal_level: 'replica',
  });
  await primary.start();
  stack = await startStack({ database: await prepareProduct(primary) });
}, 400_000);
afterAll(async () => {
  await stack?.close();
  await room?.remove();
});

test('a copy of the running product and the WAL archive restore every charge and payment up to a moment, and the ledger is right', async () => {
  const before = [await charge(), await chargeByCard()];
  const address = `host=127.0.0.1 port=${primary.port} user=postgres`;
  // Charges go on while the copy is made.
  const [made, during] = await Promise.all([script('base-backup.sh', address, backups), charge()]);
  const base = made.trim().split('\n').at(-1) ?? '';
  const wanted = [...before, during, await chargeByCard(), await charge()];
  const running = await stack.startCharge('200', 7_000);
  await running.device.meter(1, running.transactionId, 7_050);
  const [{ at } = { at: '' }] = await primary.query<{ at: string }>('select clock_timestamp()::text as at');
  const moneyAt = await primary.query('select sum(balance) as sum from accounts where balance > 0', 'fpay');

  // What the restore must not bring back: a mistake a moment later.
  const later = await charge();
  await stack.staffMoney.increase({
    staff: await stack.giver(),
    user: (await stack.driver()).id,
    amount: kopecks(77_00),
    requestKey: 'after the moment',
  });
  const [switched] = await primary.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
  await vi.waitFor(
    async () => {
      const [row] = await primary.query<{ file: string }>('select last_archived_wal as file from pg_stat_archiver');
      expect((row?.file ?? '') >= (switched?.file ?? '~'), `${row?.file} is archived`).toBe(true);
    },
    { timeout: 60_000, interval: 200 },
  );

  const startedAt = Date.now();
  await script('restore.sh', base, archive, join(room.dir, 'restored'), at);
  const restored = await room.at('restored');
  await restored.start();
  await vi.waitFor(
    async () => expect(await restored.query('select pg_is_in_recovery() as is')).toEqual([{ is: false }]),
    { timeout: 60_000, interval: 100 },
  );
  said.push(`restored and taking writes after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);

  const there = await operationsAt(restored);
  expect(there).toEqual(expect.arrayContaining([...wanted, running.id]));
  expect(there).not.toContain(later);
  expect(await restored.query('select sum(balance) as sum from accounts where balance > 0', 'fpay')).toEqual(moneyAt);
  expect(
    await restored.query(
      `select max(energy_wh)::int as wh from meter_samples where ocpp_transaction_id = ${running.transactionId}`,
      'fpay',
    ),
  ).toEqual([{ wh: 7_050 }]);
  expect(await check(restored)).toContain('The ledger is right.');
  console.log(said.join('\n'));
}, 600_000);

test('a dump restores into an empty database, and the ledger is right', async () => {
  said.length = 0;
  const id = await charge();
  const made = await script('dump.sh', `host=127.0.0.1 port=${primary.port} user=postgres dbname=fpay`, backups);
  const target = await room.create('from-dump');
  await target.start();
  for (const role of ['fpay_owner', 'fpay_app']) await target.query(`create role ${role} login`);
  await target.query('create database fpay owner fpay_owner');
  const to = ['-h', '127.0.0.1', '-p', String(target.port), '-U', 'postgres', '-d', 'fpay'];
  await room.run('pg_restore', [...to, '-j', '2', '--exit-on-error', made.trim().split('\n').at(-1) ?? '']);
  expect(await operationsAt(target)).toContain(id);
  expect(await check(target)).toContain('The ledger is right.');
  console.log(said.join('\n'));
}, 300_000);
