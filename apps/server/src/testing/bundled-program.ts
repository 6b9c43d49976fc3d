import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runsAll } from './slice.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const sources = join(root, 'apps/server/src');
/** What the programs are made of. */
const inputs = ['apps/server/src', 'apps/simulator/src', 'apps/sandbox/src', 'packages'];
const cache = join(root, 'node_modules/.cache/fpay-programs');
const dayMs = 24 * 60 * 60_000;

/** The programs that tests start, and what all of them load. */
const entries = [
  ...['due-worker', 'gateway-node', 'job-worker', 'server-node'].map((name) => `testing/programs/${name}`),
  ...['charge-point', 'doctor', 'ledger-check', 'staff', 'stations'].map((name) => `cli/${name}`),
  'payments/testing/crash-program',
  'charging/testing/staff-program',
  'app/app',
];

/** These are many small modules, and each of them is loaded by every program. Others find files beside themselves or load parts late. */
const bundledPackages = /^(@fpay\/|kysely|jose|zod)/;

/**
 * The file to start instead of this program: the same modules in a few files. A process then loads in half of the time, and tests
 * start and kill many. `TEST_ALL=1` starts the sources themselves, as the product does.
 */
export async function bundledProgram(program: URL): Promise<{ file: string; env: { NODE_COMPILE_CACHE: string } }> {
  const source = fileURLToPath(program);
  if (runsAll) return { file: source, env: { NODE_COMPILE_CACHE: join(cache, 'sources') } };
  folder ??= bundle();
  const made = await folder;
  utimesSync(made, new Date(), new Date());
  const file = join(made, relative(sources, source).replace(/\.ts$/, '.js'));
  // A bundle is found by its content, so what the compiler made of it can be kept, too.
  return { file, env: { NODE_COMPILE_CACHE: join(made, 'compiled') } };
}

let folder: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const made = join(cache, keyOfInputs());
  if (existsSync(made)) return made;
  const unfinished = `${made}.${randomBytes(6).toString('hex')}`;
  await mkdir(unfinished, { recursive: true });
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name, join(sources, `${name}.ts`)])),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !bundledPackages.test(id),
    plugins: [{ name: 'own-place', transform: { filter: { code: 'import.meta' }, handler: withOwnPlace } }],
    output: { dir: unfinished, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
    logLevel: 'warn',
  });
  // Another worker may have been faster; its bundle is the same.
  await rename(unfinished, made).catch(() => rm(unfinished, { recursive: true }));
  await warmUp(made);
  await removeOld();
  return made;
}

/** A module finds its files by the place of its source. */
function withOwnPlace(code: string, id: string): string | null {
  if (!id.startsWith(root)) return null;
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
}

function keyOfInputs(): string {
  const hash = createHash('sha256').update(process.version);
  const files = inputs.flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
  );
  const read = files.filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|node_modules/.test(name));
  for (const name of [...read.sort(), 'package-lock.json']) hash.update(name).update(readFileSync(join(root, name)));
  return hash.digest('hex').slice(0, 16);
}

/** A process that is killed leaves no compiled modules behind; this one ends by itself. */
async function warmUp(made: string): Promise<void> {
  const load = `await import(${JSON.stringify(pathToFileURL(join(made, 'app/app.js')).href)}); process.exit(0)`;
  const env = { ...process.env, NODE_COMPILE_CACHE: join(made, 'compiled') };
  await once(spawn(process.execPath, ['--input-type=module', '--eval', load], { env, stdio: 'inherit' }), 'exit');
}

/** Of sources that have changed since; another run may still use those of today. */
async function removeOld(): Promise<void> {
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    const isOld = Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > dayMs;
    if (isOld) await rm(old, { recursive: true, force: true });
  }
}
