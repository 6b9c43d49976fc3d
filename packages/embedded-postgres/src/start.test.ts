import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from './cluster.ts';
import type { StartLimits } from './limits.ts';
import { type Durability, placeOf } from './place.ts';
import { findPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
import { removeEmbeddedPostgres, stopLeftBehind } from './stop.ts';

const logged: { fields: object; message: string }[] = [];
const record = (fields: object, message: string) => void logged.push({ fields, message });
const log = { info: record, warn: record };

const running: EmbeddedPostgres[] = [];
const programs: ChildProcess[] = [];
const dataDirs: string[] = [];

/** Creating a cluster takes a second or two, so tests that do not damage it share these. */
let usual: string;
let durable: string;
beforeAll(async () => {
  usual = await newDataDir();
  durable = await newDataDir();
});

afterEach(async () => {
  for (const program of programs.splice(0)) {
    if (program.exitCode !== null || program.signalCode !== null) continue;
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  for (const postgres of running.splice(0)) await postgres.stop();
  logged.length = 0;
});

afterAll(async () => {
  for (const dataDir of dataDirs) {
    for (const durability of ['test', 'full'] as const) await removeEmbeddedPostgres(dataDir, durability);
    await rm(dataDir, { recursive: true, force: true });
  }
});

/**
 * mkdtemp creates the folder with mode 0700, so PostgreSQL's account cannot enter it when we run as root. A clone below
 * /root has the same problem.
 */
async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fpay-embedded-'));
  dataDirs.push(dataDir);
  return dataDir;
}

async function start(dataDir: string, durability: Durability = 'test', limits: Partial<StartLimits> = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir, log, durability, limits });
  running.push(postgres);
  return postgres;
}

/**
 * Starts another program on the same data directory. It prints its addresses and then waits for a command to stop, or
 * for a signal.
 */
async function startProgram(
  dataDir: string,
  durability: Durability = 'test',
): Promise<{ program: ChildProcess; adminUrl: string }> {
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('./start.ts', import.meta.url).href)});
    const log = { info() {}, warn() {} };
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log, durability: '${durability}' });
    console.log(postgres.adminUrl);
    process.stdin.once('data', (word) => String(word) === 'throw' ? setImmediate(() => { throw new Error('asked to'); })
      : postgres.stop().then(() => process.exit()));
  `;
  const program = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  programs.push(program);
  const [adminUrl] = (await once(createInterface(program.stdout), 'line')) as [string];
  return { program, adminUrl };
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const writing = `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
  current_setting('full_page_writes') AS pages`;

const shortLimits = { silentMs: 100, answerMs: 100, stopMs: 300 };

const postmasterOf = async (dataDir: string) => findPostmaster(dataOf(await placeOf(dataDir, 'test')));

describe('the embedded database', () => {
  it('starts from nothing in a folder that only its owner can enter, and sorts text the same on every machine', async () => {
    const { ownerUrl, appUrl } = await start(durable, 'full');
    expect(await query(ownerUrl, 'SELECT current_user AS me, current_database() AS here')).toEqual([
      { me: 'fpay_owner', here: 'fpay' },
    ]);
    expect(await query(appUrl, "SELECT current_user AS me, current_setting('TimeZone') AS zone")).toEqual([
      { me: 'fpay_app', zone: 'UTC' },
    ]);
    expect(
      await query(
        appUrl,
        'SELECT datlocprovider AS provider, datlocale AS locale, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()',
      ),
    ).toEqual([{ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' }]);
    expect(await query(appUrl, writing)).toEqual([{ fsync: 'on', commit: 'on', pages: 'on' }]);
  });

  it('does not wait for the disk in a test cluster', async () => {
    const { appUrl } = await start(usual);
    expect(await query(appUrl, writing)).toEqual([{ fsync: 'off', commit: 'off', pages: 'off' }]);
  });

  it('keeps its data, its passwords and its port after a restart, and leaves no process running', async () => {
    const first = await start(usual);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS stations AS SELECT 1234 AS number');
    await first.stop();
    expect(await postmasterOf(usual)).toBeNull();

    const second = await start(usual);
    expect(await query(second.ownerUrl, 'SELECT number FROM stations')).toEqual([{ number: 1234 }]);
    expect(second.ownerUrl).toBe(first.ownerUrl);
  });

  it('is taken over after its program was killed, and stopped by the program that took it over', async () => {
    const killed = await startProgram(usual);
    const orphan = await postmasterOf(usual);
    killed.program.kill('SIGKILL');
    await once(killed.program, 'exit');
    expect(await postmasterOf(usual)).toEqual(orphan);

    const next = await start(usual);
    expect(next.adminUrl).toBe(killed.adminUrl);
    expect(await postmasterOf(usual)).toEqual(orphan);
    await next.stop();
    expect(await postmasterOf(usual)).toBeNull();
  });

  it('is stopped by the process that watched the killed program, but only when no program uses it', async () => {
    const killed = await startProgram(durable, 'full');
    const data = dataOf(await placeOf(durable, 'full'));
    await stopLeftBehind(durable);
    expect(findPostmaster(data)).not.toBeNull();
    killed.program.kill('SIGKILL');
    await once(killed.program, 'exit');
    await stopLeftBehind(durable);
    expect(findPostmaster(data)).toBeNull();
  });

  it('is replaced when the running one no longer answers', async () => {
    const { ownerUrl, stop } = await start(usual);
    await query(ownerUrl, 'CREATE TABLE IF NOT EXISTS stations AS SELECT 1234 AS number');
    await stop();
    const killed = await startProgram(usual);
    killed.program.kill('SIGKILL');
    await once(killed.program, 'exit');
    const hung = await postmasterOf(usual);
    process.kill(hung?.pid ?? Number.NaN, 'SIGSTOP');

    const second = await start(usual, 'test', shortLimits);
    expect(logged).toContainEqual({
      fields: { pid: hung?.pid },
      message: 'embedded database that does not answer stopped',
    });
    expect(await query(second.ownerUrl, 'SELECT number FROM stations')).toEqual([{ number: 1234 }]);
    expect(await postmasterOf(usual)).not.toEqual(hung);
  });

  it('reports an error when the password in the data directory is not that of the database', async () => {
    const dataDir = await newDataDir();
    const { adminUrl, stop } = await start(dataDir);
    await query(adminUrl, "ALTER ROLE postgres PASSWORD 'changed behind our back'");
    await stop();
    await expect(start(dataDir)).rejects.toThrow(/does not take the password/);
    expect(await postmasterOf(dataDir)).toBeNull();
  });

  it('recovers when PostgreSQL was killed and its pid file names an unrelated living process', async () => {
    const first = await start(usual);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS stations AS SELECT 1234 AS number');
    await query(first.adminUrl, 'CHECKPOINT');
    const place = await placeOf(usual, 'test');
    const postmaster = await findPostmaster(dataOf(place));
    process.kill(postmaster?.pid ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => findPostmaster(dataOf(place))).toBeNull();

    // The process id now belongs to a process of the cluster's account, so PostgreSQL alone would refuse to start.
    const stranger = spawn('sleep', ['60'], { ...place.runAs });
    programs.push(stranger);
    const pidFile = join(dataOf(place), 'postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [stranger.pid, ...rest].join('\n'));

    const second = await start(usual);
    expect(await query(second.ownerUrl, 'SELECT number FROM stations')).toEqual([{ number: 1234 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('uses another port when its previous port is taken', async () => {
    const first = await start(usual);
    await first.stop();
    const squatter = createServer().listen(Number(new URL(first.adminUrl).port), '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const second = await start(usual);
      expect(new URL(second.adminUrl).port).not.toBe(new URL(first.adminUrl).port);
      expect(await query(second.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      squatter.close();
    }
  });

  it('starts empty when its data directory was removed, and keeps the old files in another folder', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS stations ()');
    await first.stop();
    await rm(join(dataDir, 'postgres', 'cluster.json'));

    const second = await start(dataDir);
    expect(await query(second.ownerUrl, "SELECT to_regclass('stations') AS stations")).toEqual([{ stations: null }]);
    const place = await placeOf(dataDir, 'test');
    expect((await stat(`${dataOf(place)}.removed`)).isDirectory()).toBe(true);
  });
});

describe('several programs on one data directory', () => {
  it('start at the same time and share one database', async () => {
    const [a, b, c] = await Promise.all([startProgram(usual), startProgram(usual), start(usual)]);
    expect([a.adminUrl, b.adminUrl]).toEqual([c.adminUrl, c.adminUrl]);
  });

  it('keep the database running until the last one stops', async () => {
    const other = await startProgram(usual);
    const ours = await start(usual);
    await ours.stop();
    expect(await query(other.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    other.program.stdin?.write('stop');
    await once(other.program, 'exit');
    expect(await postmasterOf(usual)).toBeNull();
  });

  it('do not stop a database that does not answer while one of them uses it', async () => {
    await start(usual);
    const hung = await postmasterOf(usual);
    process.kill(hung?.pid ?? Number.NaN, 'SIGSTOP');
    await expect(start(usual, 'test', shortLimits)).rejects.toThrow(
      /Another program uses the embedded database .* does not answer/,
    );
    process.kill(hung?.pid ?? Number.NaN, 'SIGCONT');
    expect(await postmasterOf(usual)).toEqual(hung);
  });

  it('keep the database when one of them crashes; a single program that crashes stops it', async () => {
    const crashing = await startProgram(usual);
    const ours = await start(usual);
    crashing.program.stdin?.write('throw');
    await once(crashing.program, 'exit');
    expect(await query(ours.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await ours.stop();

    const alone = await startProgram(usual);
    alone.program.stdin?.write('throw');
    await once(alone.program, 'exit');
    await expect.poll(() => postmasterOf(usual), { timeout: 5_000 }).toBeNull();
  });
});

describe("the product's role", () => {
  it('cannot create tables, roles or databases, nor become another role', async () => {
    const { appUrl } = await start(usual);
    const forbidden = [
      'CREATE TABLE mine ()',
      'CREATE TEMPORARY TABLE mine ()',
      'CREATE SCHEMA mine',
      'CREATE ROLE mine',
      'CREATE DATABASE mine',
      'SET ROLE fpay_owner',
      'SET ROLE postgres',
      'ALTER ROLE fpay_app SUPERUSER',
      "COPY (SELECT 1) TO PROGRAM 'true'",
    ];
    for (const sql of forbidden) {
      await expect(query(appUrl, sql), sql).rejects.toThrow(/permission denied|must be|Only roles/);
    }
    await expect(query(appUrl.replace(/fpay$/, 'postgres'), 'SELECT 1')).rejects.toThrow(/permission denied/);
    await expect(query(appUrl.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password authentication/);
  });

  it('is not the owner, and the owner is no superuser', async () => {
    const { ownerUrl } = await start(usual);
    await query(ownerUrl, 'CREATE TABLE IF NOT EXISTS stations ()');
    await expect(query(ownerUrl, 'CREATE ROLE mine')).rejects.toThrow(/permission denied/);
    await expect(query(ownerUrl, 'ALTER ROLE fpay_owner SUPERUSER')).rejects.toThrow(/permission denied/);
  });
});

// Only root has folders outside the data directory.
if (process.getuid?.() === 0) {
  describe('as root', () => {
    it("refuses a cluster's folder or files that belong to another account", async () => {
      const dataDir = await newDataDir();
      const { dir } = await placeOf(dataDir, 'test');
      await mkdir(dir, { recursive: true });
      await chown(dir, 65534, 65534);
      await expect(start(dataDir)).rejects.toThrow(/is not a folder of user 0/);
      await chown(dir, 0, 0);
      await (await start(dataDir)).stop();

      await chown(join(dir, 'data'), 65533, 65533);
      await expect(start(dataDir)).rejects.toThrow(/is not a folder of user 65534/);
    });

    it('denies other accounts reading and changing the data', async () => {
      await start(usual);
      const { dir } = await placeOf(usual, 'test');
      const data = await stat(join(dir, 'data'));
      expect({ uid: data.uid, mode: data.mode & 0o777 }).toEqual({ uid: 65534, mode: 0o700 });
      const note = await stat(join(usual, 'postgres', 'cluster.json'));
      expect({ uid: note.uid, mode: note.mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 });
    });

    it('refuses a data directory that another account prepared', async () => {
      const dataDir = await newDataDir();
      const home = join(dataDir, 'postgres');
      await mkdir(home);
      await chown(home, 65533, 65533);
      await expect(start(dataDir)).rejects.toThrow(/is not a folder of user 0/);
      await chown(home, 0, 0);
    });

    it('refuses a copy of a data directory, which would share the original’s database', async () => {
      await (await start(usual)).stop();
      const copy = await newDataDir();
      await mkdir(join(copy, 'postgres'));
      await writeFile(join(copy, 'postgres', 'cluster.json'), await readFile(join(usual, 'postgres', 'cluster.json')));
      await expect(start(copy)).rejects.toThrow(/moved, copied or started by another user/);
    });
  });
}
