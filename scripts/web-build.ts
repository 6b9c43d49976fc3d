import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { lock } from '@fpay/embedded-postgres/file-lock';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'apps/web');
const dist = join(web, 'dist');
const cache = join(root, '.cache');
const stamp = join(cache, 'web-build');

/** All inputs of the bundle. */
const sources = [
  'apps/web/{index.html,package.json,tsconfig.json,vite.config.ts}',
  'apps/web/{src,public,build}/**',
  'packages/contract/{package.json,src/**}',
  'tsconfig.json',
  'package-lock.json',
];

/** Builds the web app, unless the last build used the same files. */
export async function buildWeb(
  signal?: AbortSignal,
  /** Gets the lines of the build; without it they are printed. */
  onLine?: (line: string) => void,
): Promise<'built' | 'unchanged'> {
  await mkdir(cache, { recursive: true });
  // Another `npm start` in this clone may be building.
  const building = await lock(`${stamp}.lock`, 'exclusive', 600_000);
  try {
    const fingerprint = await fingerprintOf(sources);
    const last = await readFile(stamp, 'utf8').catch(() => null);
    if (last === fingerprint && existsSync(join(dist, 'index.html'))) return 'unchanged';
    await build(signal, onLine);
    await writeFile(stamp, fingerprint);
    return 'built';
  } finally {
    building.release();
  }
}

/** Builds in another folder and renames it, so that a server that runs from `dist` never sees an incomplete one. */
async function build(signal?: AbortSignal, onLine?: (line: string) => void): Promise<void> {
  const fresh = join(cache, 'web-new');
  const old = join(cache, 'web-old');
  await rm(old, { recursive: true, force: true });
  if (!onLine) console.log('Building the web app ...');
  const vite = join(root, 'node_modules/.bin/vite');
  const args = [vite, 'build', '--outDir', relative(web, fresh), '--emptyOutDir', '--logLevel', 'warn'];
  const output = onLine ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, args, {
    cwd: web,
    stdio: ['ignore', output, output],
    ...(signal && { signal }),
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      onLine?.(line);
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(['The web app could not be built:', ...lines].join('\n'));
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
}

async function fingerprintOf(patterns: string[]): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(patterns, { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !entry.name.includes('.test.')) files.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash.update(relative(root, file)).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return hash.digest('hex');
}
