import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Durability } from './place.ts';

/**
 * Writes the whole configuration at each start, so editing the files by hand has no effect. The files are beside the
 * data directory, not in it. Returns the options that make PostgreSQL read them.
 */
export async function writeSettings(dir: string, port: number, durability: Durability): Promise<string[]> {
  const settings = { ...always, port: String(port), ...(durability === 'test' ? forTests : {}) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  const configFile = join(dir, 'postgresql.conf');
  const hbaFile = join(dir, 'pg_hba.conf');
  await writeReadable(configFile, `${lines.join('\n')}\n`);
  await writeReadable(hbaFile, 'host all all 127.0.0.1/32 scram-sha-256\n');
  return ['-c', `config_file=${configFile}`, '-c', `hba_file=${hbaFile}`];
}

/** The files contain no secret, and PostgreSQL may run under another account. */
async function writeReadable(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o644);
}

const always = {
  listen_addresses: '127.0.0.1',
  // A socket file would need a folder with a short path that both accounts can reach; loopback does not.
  unix_socket_directories: '',
  // Enough for several server processes with a pool each, and for the small pools of the tests.
  max_connections: '200',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  huge_pages: 'off',
  // Compiling a query is worthwhile only for queries that take seconds; ours take milliseconds.
  jit: 'off',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '%m [%p] %q%u@%d ',
  log_checkpoints: 'off',
};

/** Test data does not have to survive a power failure. */
const forTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // A vacuum in the template database would make PostgreSQL refuse to clone it.
  autovacuum: 'off',
  io_method: 'sync',
  // Each of the thousands of connections would hash its password 4,096 times.
  scram_iterations: '1',
};
