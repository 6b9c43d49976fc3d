import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const isTest = /\.(test(-support)?|proof)\.tsx?$|(^|\/)testing\//;

interface Import {
  from: string;
  to: string;
}

/** Relative imports of a tree as pairs of paths from its root, tests left out. */
function importsOf(tree: string): Import[] {
  const base = join(root, tree);
  return globSync('**/*.{ts,tsx}', { cwd: base, exclude: (name) => name === 'node_modules' })
    .filter((file) => !isTest.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      [...readFileSync(join(base, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
        from: file,
        to: relative(base, join(base, dirname(file), match[1] ?? '')),
      })),
    );
}

const folderOf = (file: string) => file.split('/')[0] ?? '';
const show = ({ from, to }: Import) => `${from} → ${to}`;

test('the platform knows no feature', () => {
  const wrong = importsOf('apps/server/src').filter(
    ({ from, to }) => folderOf(from) === 'platform' && folderOf(to) !== 'platform',
  );
  expect(wrong.map(show)).toEqual([]);
});

/** Which feature may use which; everything may use the platform. app.ts, main.ts and the demo's seed know every part. */
const mayUse: Record<string, string[]> = {
  account: ['wallet', 'messages'],
  backoffice: [],
  charging: ['ocpp', 'stations', 'payments', 'wallet'],
  feedback: [],
  maintenance: [],
  network: ['stations'],
  ocpp: ['stations', 'network'],
  payments: ['wallet'],
  realtime: [],
  messages: [],
  receipts: [],
  rfid: ['ocpp'],
  stats: [],
  stations: [],
  wallet: [],
};
const knowAll = ['app.ts', 'config.ts', 'features.ts', 'main.ts', 'start-checks.ts', 'demo', 'cli'];

test('features meet only along the arrows', () => {
  const wrong = importsOf('apps/server/src').filter(({ from, to }) => {
    const [user, used] = [folderOf(from), folderOf(to)];
    if (user === used || used === 'platform' || user === 'platform' || knowAll.includes(user)) return false;
    return !(mayUse[user]?.includes(used) ?? false);
  });
  expect(wrong.map(show)).toEqual([]);
});

test('domain files are pure: no database, no clock, no waiting', () => {
  const names = '{operation,price,payment,transfer,tariff,state,connector-status}';
  const domain = globSync(`apps/server/src/*/${names}.ts`, { cwd: root }).filter((file) => !isTest.test(file));
  expect(domain.length).toBeGreaterThan(0);
  for (const file of domain) {
    expect([
      file,
      readFileSync(join(root, file), 'utf8').match(/\basync\b|new Date\(\)|Date\.now|kysely|from 'pg'/),
    ]).toEqual([file, null]);
  }
});

const layers = ['ui', 'features', 'app'];

test('in the web app, app uses features and features use ui, never the other way', () => {
  const wrong = importsOf('apps/web/src').filter(({ from, to }) => {
    const [user, used] = [layers.indexOf(folderOf(from)), layers.indexOf(folderOf(to))];
    return user >= 0 && used > user;
  });
  expect(wrong.map(show)).toEqual([]);
});

test('only config.ts reads the environment', () => {
  const readers = globSync('apps/server/src/**/*.ts', { cwd: root })
    .filter((file) => !isTest.test(file) && !/\/(config|main)\.ts$|\/cli\//.test(file))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
  expect(readers).toEqual([]);
});
