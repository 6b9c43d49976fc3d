import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dataOf } from '@fpay/embedded-postgres/cluster';
import { placeOf } from '@fpay/embedded-postgres/place';
import { findPostmaster } from '@fpay/embedded-postgres/postmaster';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepLeftovers } from './leftovers.ts';

let parent: string;
let runsDir: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'fpay-runs-'));
  runsDir = join(parent, 'runs');
});
afterAll(() => rm(parent, { recursive: true, force: true }));

it('leftovers of a killed test run are removed, and a live run is not touched', async () => {
  const run = join(runsDir, 'run-1');
  const module = new URL('../../../../packages/embedded-postgres/src/start.ts', import.meta.url).href;
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(run)}, log: { info() {}, warn() {} }, durability: 'test' });
    console.log('started');
    setInterval(() => {}, 1000);`;
  const program = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(createInterface(program.stdout), 'line');
  const data = dataOf(await placeOf(run, 'test'));

  await sweepLeftovers(runsDir, 0);
  expect(await findPostmaster(data)).not.toBeNull();

  program.kill('SIGKILL');
  await once(program, 'exit');
  await sweepLeftovers(runsDir, 0);
  expect(await findPostmaster(data)).toBeNull();
  expect(await readdir(runsDir)).toEqual([]);
});
