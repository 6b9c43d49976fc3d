import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type SystemFacts, systemProblem } from './check-system.mjs';

const linux: SystemFacts = {
  platform: 'linux',
  arch: 'x64',
  kernel: '6.1.0-31-amd64',
  folder: '/home/olena/fpay/',
  dataDir: '/home/olena/fpay/',
  isMusl: false,
  hasDatabase: false,
};
const wsl2 = { kernel: '5.15.167.4-microsoft-standard-WSL2' };
const wsl1 = { kernel: '4.4.0-19041-Microsoft' };

test.each<[string, Partial<SystemFacts>]>([
  ['Linux on Intel', {}],
  ['Linux on ARM', { arch: 'arm64' }],
  ['macOS on Apple silicon', { platform: 'darwin', arch: 'arm64', kernel: '24.6.0' }],
  ['macOS on Intel', { platform: 'darwin', kernel: '22.6.0' }],
  ['WSL 2 in the home folder of Linux', wsl2],
  ['a mounted disk of Linux that is not WSL', { folder: '/mnt/d/fpay/' }],
  ['WSL 2 on a second Linux disk', { ...wsl2, folder: '/mnt/disk2/fpay/' }],
  ['Alpine with a database of its own', { isMusl: true, hasDatabase: true }],
  ['FreeBSD with a database of its own', { platform: 'freebsd', hasDatabase: true }],
])('%s can run the demo', (_, facts) => {
  expect(systemProblem({ ...linux, ...facts })).toBeNull();
});

test.each<[string, Partial<SystemFacts>, string]>([
  ['Windows', { platform: 'win32', folder: 'C:\\fpay' }, 'wsl --install'],
  ['Windows with a database', { platform: 'win32', hasDatabase: true }, 'wsl --install'],
  ['WSL 1', wsl1, 'wsl --set-version'],
  ['WSL 1 with a database', { ...wsl1, hasDatabase: true }, 'wsl --set-version'],
  ['a clone on drive C in WSL 2', { ...wsl2, folder: '/mnt/c/Users/olena/fpay/' }, '/mnt/c/Users/olena/fpay/ is on a'],
  ['data on drive D in WSL 2', { ...wsl2, dataDir: '/mnt/d/data' }, '/mnt/d/data is on a Windows drive'],
  ['Alpine', { isMusl: true }, 'needs glibc'],
  ['a 32-bit Raspberry Pi', { arch: 'arm' }, 'no PostgreSQL in npm for linux on arm'],
  ['FreeBSD', { platform: 'freebsd' }, 'DATABASE_URL=postgres://'],
])('%s gets a message that says what to do', (_, facts, part) => {
  expect(systemProblem({ ...linux, ...facts })).toContain(part);
});

test('the check passes on this system, and both commands run it first', async () => {
  const file = fileURLToPath(new URL('./check-system.mjs', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  expect([stdout, stderr]).toEqual(['', '']);
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  for (const name of ['start', 'test']) expect(scripts[name]).toMatch(/^node scripts\/check-system\.mjs && exec sh /);
});
