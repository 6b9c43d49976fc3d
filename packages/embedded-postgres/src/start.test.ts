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
import type { Limits } from './limits.ts';
import { type Durability, placeOf } from './place.ts';
import { findPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
import { removeEmbeddedPostgres, stopLeftBehind } from './stop.ts';

const said: string[] = [];
const log = { info: (message: string) => said.push(message), warn: (message: string) => said.push(message) };

const running: EmbeddedPostgres[] = [];
const programs: ChildProcess[] = [];
const dataDirs: string[] = [];

/** Making a cluster takes a second or two, so tests that do not harm it use these. */
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
  said.length = 0;
});

afterAll(async () => {
  for (const dataDir of dataDirs) {
    for (const durability of ['test', 'full'] as const) await removeEmbeddedPostgres(dataDir, durability);
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** mkdtemp makes it 0700, so as root PostgreSQL's account cannot enter it: the place a clone below /root is in. */
async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fpay-embedded-'));
  dataDirs.push(dataDir);
  return dataDir;
}

async function start(dataDir: string, durability: Durability = 'test', limits: Partial<Limits> = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir, log, durability, limits });
  running.push(postgres);
  return postgres;
}

/** Another program on the same data directory; it prints its addresses and then waits to be told to stop, or to be killed. */
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

const impatient = { silentMs: 100, answerMs: 100, stopMs: 300 };

const postmasterOf = async (dataDir: string) => findPostmaster(dataOf(await placeOf(dataDir, 'test')));

describe('the embedded database', () => {
  it('starts from nothing in a folder that only we can enter, and sorts text the same everywhere', async () => {
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

  it('does not wait for the disk when it is only for tests', async () => {
    const { appUrl } = await start(usual);
    expect(await query(appUrl, writing)).toEqual([{ fsync: 'off', commit: 'off', pages: 'off' }]);
  });

  it('keeps its data, its passwords and its port over a restart, and leaves no process behind', async () => {
    const first = await start(usual);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS stations AS SELECT 1234 AS number');
    await first.stop();
    expect(await postmasterOf(usual)).toBeNull();

    const second = await start(usual);
    expect(await query(second.ownerUrl, 'SELECT number FROM stations')).toEqual([{ number: 1234 }]);
    expect(second.ownerUrl).toBe(first.ownerUrl);
  });

  it('is taken over after its program was killed, and ended by the one that took it over', async () => {
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

  it('is ended by whoever watched over the killed program, but only when nobody uses it', async () => {
    const killed = await startProgram(durable, 'full');
    const data = dataOf(await placeOf(durable, 'full'));
    await stopLeftBehind(durable);
    expect(findPostmaster(data)).not.toBeNull();
    killed.program.kill('SIGKILL');
    await once(killed.program, 'exit');
    await stopLeftBehind(durable);
    expect(findPostmaster(data)).toBeNull();
  });

  it('is replaced when the one left behind does not answer any more', async () => {
    const { ownerUrl, stop } = await start(usual);
    await query(ownerUrl, 'CREATE TABLE IF NOT EXISTS stations AS SELECT 1234 AS number');
    await stop();
    const killed = await startProgram(usual);
    killed.program.kill('SIGKILL');
    await once(killed.program, 'exit');
    const hung = await postmasterOf(usual);
    process.kill(hung?.pid ?? Number.NaN, 'SIGSTOP');

    const second = await start(usual, 'test', impatient);
    expect(said).toContain(
      `stopping the embedded database that is already running (process ${hung?.pid}), which does not answer`,
    );
    expect(await query(second.ownerUrl, 'SELECT number FROM stations')).toEqual([{ number: 1234 }]);
    expect(await postmasterOf(usual)).not.toEqual(hung);
  });

  it('says so when the password in the data directory is not that of the database', async () => {
    const dataDir = await newDataDir();
    const { adminUrl, stop } = await start(dataDir);
    await query(adminUrl, "ALTER ROLE postgres PASSWORD 'changed behind our back'");
    await stop();
    await expect(start(dataDir)).rejects.toThrow(/does not take the password/);
    expect(await postmasterOf(dataDir)).toBeNull();
  });

  it('recovers when PostgreSQL itself was killed and its pid file names a living stranger', async () => {
    const first = await start(usual);
    await query(first.ownerUrl, 'CREATE TABLE IF NOT EXISTS stations AS SELECT 1234 AS number');
    await query(first.adminUrl, 'CHECKPOINT');
    const place = await placeOf(usual, 'test');
    const postmaster = await findPostmaster(dataOf(place));
    process.kill(postmaster?.pid ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => findPostmaster(dataOf(place))).toBeNull();

    // The number now belongs to somebody who runs as the cluster's account: PostgreSQL alone would refuse to start.
    const stranger = spawn('sleep', ['60'], { ...place.runAs });
    programs.push(stranger);
    const pidFile = join(dataOf(place), 'postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [stranger.pid, ...rest].join('\n'));

    const second = await start(usual);
    expect(await query(second.ownerUrl, 'SELECT number FROM stations')).toEqual([{ number: 1234 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('moves to another port when its own was taken meanwhile', async () => {
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

  it('starts empty when its data directory was removed, and keeps the old files aside', async () => {
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
  it('start at once and share one database', async () => {
    const [a, b, c] = await Promise.all([startProgram(usual), startProgram(usual), start(usual)]);
    expect([a.adminUrl, b.adminUrl]).toEqual([c.adminUrl, c.adminUrl]);
  });

  it('keep the database until the last one leaves', async () => {
    const other = await startProgram(usual);
    const ours = await start(usual);
    await ours.stop();
    expect(await query(other.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    other.program.stdin?.write('stop');
    await once(other.program, 'exit');
    expect(await postmasterOf(usual)).toBeNull();
  });

  it('do not end a database that answers nobody while one of them is using it', async () => {
    await start(usual);
    const hung = await postmasterOf(usual);
    process.kill(hung?.pid ?? Number.NaN, 'SIGSTOP');
    await expect(start(usual, 'test', impatient)).rejects.toThrow(/Another program uses .* but it does not answer us/);
    process.kill(hung?.pid ?? Number.NaN, 'SIGCONT');
    expect(await postmasterOf(usual)).toEqual(hung);
  });

  it('do not lose the database to one that crashes, and one that crashes alone takes it along', async () => {
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
  it('cannot make tables, roles or databases, nor become someone else', async () => {
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

  it('is not the owner, who is no superuser either', async () => {
    const { ownerUrl } = await start(usual);
    await query(ownerUrl, 'CREATE TABLE IF NOT EXISTS stations ()');
    await expect(query(ownerUrl, 'CREATE ROLE mine')).rejects.toThrow(/permission denied/);
    await expect(query(ownerUrl, 'ALTER ROLE fpay_owner SUPERUSER')).rejects.toThrow(/permission denied/);
  });
});

// The folders outside the data directory exist for root alone.
if (process.getuid?.() === 0) {
  describe('as root', () => {
    it("refuses a cluster's folder or files that belong to someone else", async () => {
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

    it('lets others neither read nor change the data', async () => {
      await start(usual);
      const { dir } = await placeOf(usual, 'test');
      const data = await stat(join(dir, 'data'));
      expect({ uid: data.uid, mode: data.mode & 0o777 }).toEqual({ uid: 65534, mode: 0o700 });
      const note = await stat(join(usual, 'postgres', 'cluster.json'));
      expect({ uid: note.uid, mode: note.mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 });
    });

    it('refuses a data directory that someone else prepared', async () => {
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
