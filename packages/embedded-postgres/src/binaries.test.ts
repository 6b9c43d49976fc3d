import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyOnce } from './binaries.ts';

let dir: string;

/**
 * The state after npm did not run the package's install script: there are no links, and other accounts cannot read the
 * files.
 */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fpay-binaries-'));
  const native = join(dir, 'package', 'native');
  await mkdir(join(native, 'lib', 'deep'), { recursive: true });
  await mkdir(join(native, 'bin'));
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o700 });
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  await writeFile(join(native, 'lib', 'libpq.a'), 'only for building against it');
  await writeFile(join(native, 'lib', 'deep', 'plpgsql.so'), 'extension', { mode: 0o600 });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  await chmod(join(native, 'lib'), 0o700);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

it('programs that start at the same time use one complete copy of the binaries that every account can run', async () => {
  const target = join(dir, 'postgres-18');
  const copies = await Promise.all([1, 2, 3].map(() => copyOnce(join(dir, 'package'), target)));
  expect(copies).toEqual([target, target, target]);
  expect((await readdir(dir)).sort()).toEqual(['package', 'postgres-18']);

  expect(await readFile(join(target, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
  expect((await readdir(join(target, 'lib'))).sort()).toEqual(['deep', 'libpq.so.5', 'libpq.so.5.18']);
  const modes = ['.', 'lib', 'lib/deep', 'bin/postgres', 'lib/deep/plpgsql.so'].map(async (path) => {
    return ((await stat(join(target, path))).mode & 0o777).toString(8);
  });
  expect(await Promise.all(modes)).toEqual(['755', '755', '755', '755', '644']);
});
