import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readlinkSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { prepareBinaries } from '@fpay/embedded-postgres/binaries';
import pg from 'pg';
import { freeTestPort } from './server.ts';

/**
 * PostgreSQL servers of their own for tests of replication, restore and pooling: they are killed, copied and promoted.
 * All roles may connect from loopback without a password.
 */
export interface RealCluster {
  name: string;
  port: number;
  data: string;
  programs: string;
  url(role?: string, database?: string): string;
  /** Runs one statement as the superuser. */
  query<T extends pg.QueryResultRow>(text: string, database?: string): Promise<T[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the main process like a power cut and waits until its children have noticed. */
  kill(): Promise<void>;
  promote(): Promise<void>;
  /** Appends lines to postgresql.conf; the last one of a name counts. */
  set(settings: Record<string, string>): Promise<void>;
}

export interface ClusterRoom {
  dir: string;
  programs: string;
  create(name: string, settings?: Record<string, string>): Promise<RealCluster>;
  /** A standby that streams from this primary; not started yet. */
  copy(primary: RealCluster, name: string): Promise<RealCluster>;
  /** A cluster in a folder that exists already, for example a restored one. */
  at(name: string): Promise<RealCluster>;
  run(program: string, args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** The folder of Debian's programs with the newest version, when a package is installed. */
export function systemPrograms(): string | null {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return null;
  const versions = readdirSync(base).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => `${base}/${version}/bin`).find((bin) => existsSync(`${bin}/pg_basebackup`)) ?? null;
}

/** PostgreSQL refuses to run as root, so root starts it under the account of the package, or under 65534. */
function accountForPostgres(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65534, gid: 65534 };
  }
}

/** PostgreSQL's processes work in the data directory. */
function hasProcessIn(data: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === data;
    } catch {
      return false;
    }
  });
}

export async function openClusterRoom({ programs }: { programs: string | null }): Promise<ClusterRoom> {
  const account = accountForPostgres();
  const dir = await mkdtemp(join(tmpdir(), 'fpay-clusters-'));
  if (account) chownSync(dir, account.uid, account.gid);
  const bin = programs ?? join((await prepareBinaries({ home: dir, dir, runAs: account })).dir, 'bin');
  const clusters: RealCluster[] = [];
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };

  async function run(program: string, args: string[]): Promise<string> {
    const { stdout, stderr } = await promisify(execFile)(join(bin, program), args, { ...account, cwd: dir, env });
    return `${stdout}${stderr}`;
  }

  const own = (path: string) => account && chownSync(path, account.uid, account.gid);

  async function at(name: string): Promise<RealCluster> {
    const data = join(dir, name);
    const port = await freeTestPort();
    const cluster: RealCluster = {
      name,
      port,
      data,
      programs: bin,
      url: (role = 'postgres', database = 'postgres') => `postgres://${role}@127.0.0.1:${port}/${database}`,
      async query(text, database) {
        const client = new pg.Client({ connectionString: cluster.url('postgres', database) });
        client.on('error', () => {});
        await client.connect();
        try {
          return (await client.query(text)).rows;
        } finally {
          await client.end().catch(() => {});
        }
      },
      async start() {
        const log = join(dir, `${name}.log`);
        // In a container without an init process a killed one stays in the process table, and its number looks alive.
        if (!hasProcessIn(data)) await rm(join(data, 'postmaster.pid'), { force: true });
        await run('pg_ctl', ['-D', data, '-l', log, '-w', '-t', '60', 'start']).catch(async (error: Error) => {
          const lines = (await readFile(log, 'utf8')).trimEnd().split('\n').slice(-8);
          throw new Error(`${error.message}\n${lines.join('\n')}`);
        });
      },
      async stop() {
        await run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      },
      async kill() {
        process.kill(Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
        while (hasProcessIn(data)) await sleep(20);
      },
      async promote() {
        await run('pg_ctl', ['-D', data, '-w', 'promote']);
      },
      async set(settings) {
        const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`);
        await appendFile(join(data, 'postgresql.conf'), lines.join(''));
      },
    };
    clusters.push(cluster);
    await cluster.set({
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      cluster_name: name,
    });
    return cluster;
  }

  /** The low-level way of the manual, where `pg_basebackup` is not installed. */
  async function copyByHand(primary: RealCluster, target: string): Promise<void> {
    const client = new pg.Client({ connectionString: primary.url() });
    await client.connect();
    try {
      await client.query("select pg_backup_start('copy', true)");
      const left = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+)$/;
      await cp(primary.data, target, { recursive: true, filter: (path) => !left.test(path) });
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, target]);
    execFileSync('chmod', ['-R', 'go-rwx', target]);
  }

  return {
    dir,
    programs: bin,
    at,
    run,
    async create(name, settings = {}) {
      const data = join(dir, name);
      await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
      const cluster = await at(name);
      await cluster.set({ wal_log_hints: 'on', max_wal_senders: '5', max_connections: '100', jit: 'off', ...settings });
      await appendFile(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n');
      return cluster;
    },
    async copy(primary, name) {
      const target = join(dir, name);
      const isPackaged = existsSync(join(bin, 'pg_basebackup'));
      if (isPackaged) {
        const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
        await run('pg_basebackup', [...from, '-D', target, '-X', 'stream', '-c', 'fast']);
      } else {
        await mkdir(target, { mode: 0o700 });
        await copyByHand(primary, target);
      }
      await writeFile(join(target, 'standby.signal'), '');
      own(join(target, 'standby.signal'));
      const standby = await at(name);
      const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
      await standby.set({ primary_conninfo: source });
      return standby;
    },
    async remove() {
      for (const cluster of clusters) await cluster.stop().catch(() => {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}
