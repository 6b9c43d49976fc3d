import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusals } from '@fpay/contract/refusals';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const isTest = /\.(test(-support)?|proof)\.tsx?$|(^|\/)testing\//;

interface Import {
  from: string;
  to: string;
  /** What the braces of the import hold, as written. */
  names: string[];
}

/** The relative imports of a tree as pairs of paths from its root, without tests. */
function importsOf(tree: string): Import[] {
  const base = join(root, tree);
  return globSync('**/*.{ts,tsx}', { cwd: base, exclude: (name) => name === 'node_modules' })
    .filter((file) => !isTest.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      [...readFileSync(join(base, file), 'utf8').matchAll(/(?:\{([^{}]*)\} )?(?:from|import\()\s*'(\.[^']+)'/g)].map(
        ([, names = '', path = '']) => ({
          from: file,
          to: relative(base, join(base, dirname(file), path)),
          names: names.split(',').map((name) =>
            name
              .trim()
              .replace(/^type /, '')
              .replace(/ as .*$/, ''),
          ),
        }),
      ),
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

/**
 * Which feature may import which; every feature may import the platform. app/, config/, main.ts and the demo's seed may import
 * all.
 */
const mayUse: Record<string, string[]> = {
  account: ['wallet', 'messages', 'party'],
  backoffice: [
    'account',
    'cases',
    'charging',
    'integrations',
    'maintenance',
    'messages',
    'network',
    'ocpp',
    'party',
    'payments',
    'receipts',
    'rfid',
    'site-power',
    'stations',
    'wallet',
  ],
  cases: [],
  charging: ['ocpp', 'stations', 'payments', 'wallet'],
  favourites: ['stations'],
  feedback: ['charging'],
  'free-alerts': ['stations'],
  integrations: ['party', 'stations'],
  maintenance: [],
  network: ['stations', 'ocpp', 'party'],
  ocpp: ['stations'],
  party: [],
  payments: ['wallet'],
  realtime: [],
  messages: [],
  receipts: ['charging', 'payments'],
  rfid: ['ocpp', 'stations', 'party'],
  'site-power': ['charging', 'ocpp', 'stations'],
  stats: ['payments', 'wallet'],
  stations: ['party'],
  wallet: ['party'],
  'web-app': [],
};
const knowAll = ['app', 'config', 'main.ts', 'demo', 'cli'];

test('routes under /api/admin are served by the back office (decision 16)', () => {
  const contract = join(root, 'packages/contract/src');
  const staffCalls = globSync('**/*.ts', { cwd: contract }).flatMap((file) =>
    [
      ...readFileSync(join(contract, file), 'utf8').matchAll(
        /const (\w+) = endpoint\(\{\s+method: '\w+',\s+path: '([^']+)'/g,
      ),
    ]
      .filter(([, , path]) => path?.startsWith('/api/admin/'))
      .map(([, name = '']) => name),
  );
  expect(staffCalls.length).toBeGreaterThan(40);
  const server = join(root, 'apps/server/src');
  const elsewhere = globSync('**/*.ts', { cwd: server })
    .filter((file) => !isTest.test(file) && folderOf(file) !== 'backoffice')
    .flatMap((file) =>
      [...readFileSync(join(server, file), 'utf8').matchAll(/routes\.on\((\w+),/g)]
        .filter(([, name = '']) => staffCalls.includes(name))
        .map(([, name]) => `${file}: ${name}`),
    );
  expect(elsewhere).toEqual([]);
});

test('features import each other only along the arrows', () => {
  const wrong = importsOf('apps/server/src').filter(({ from, to }) => {
    const [user, used] = [folderOf(from), folderOf(to)];
    if (user === used || used === 'platform' || user === 'platform' || knowAll.includes(user)) return false;
    return !(mayUse[user]?.includes(used) ?? false);
  });
  expect(wrong.map(show)).toEqual([]);
});

/** The factories of a feature.ts, each with what follows its parameters: `: Charging`, or nothing when it is not written down. */
function factoriesOf(source: string): { name: string; returns: string }[] {
  return [...source.matchAll(/^export function (\w+)\(/gm)].map(({ 0: head, 1: name = '', index }) => {
    let end = index + head.length;
    for (let depth = 1; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[source[end] ?? ''] ?? 0;
    return { name, returns: source.slice(end, source.indexOf('{', end)).trim() };
  });
}

test('what a feature offers is written down in its feature.ts', () => {
  const files = globSync('apps/server/src/*/feature.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(10);
  const inferred = files.flatMap((file) =>
    factoriesOf(readFileSync(join(root, file), 'utf8'))
      .filter(({ returns }) => !returns.startsWith(':'))
      .map(({ name }) => `${file} ${name}`),
  );
  expect(inferred).toEqual([]);
});

test('a type that another feature imports is written down, not inferred from a factory', () => {
  const base = join(root, 'apps/server/src');
  const inferredIn = (file: string) =>
    [...readFileSync(join(base, file), 'utf8').matchAll(/export type (\w+) =[^;]*ReturnType<\s*typeof/g)].map(
      ([, name = '']) => name,
    );
  const wrong = importsOf('apps/server/src')
    .filter(({ from, to }) => folderOf(from) !== folderOf(to) && folderOf(to) !== 'app')
    .flatMap(({ from, to, names }) =>
      inferredIn(to)
        .filter((name) => names.includes(name))
        .map((name) => `${from} → ${to} ${name}`),
    );
  expect(wrong).toEqual([]);
});

test('a refusal that an interface names is one of the contract', () => {
  const named = globSync('apps/server/src/**/*.ts', { cwd: root })
    .filter((file) => !isTest.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/@refuses ([^/]*?)\s*\*\//g)].flatMap(([, codes = '']) =>
        codes.split(/[\s,*]+/).map((code) => ({ file, code })),
      ),
    );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ code }) => !(code in refusals))).toEqual([]);
});

/** Files that decide and calculate and do nothing else. */
const pure = [
  'backoffice/commissioning/steps',
  'backoffice/network/{attempt-reason,report-figures}',
  'charging/{operation,start-phase,payment-effect,moves/billed-energy,limit/limit-guard,limit/price-reading,limit/limit-profile}',
  'maintenance/state',
  'messages/turbosms/codes',
  'ocpp/commands/command',
  'ocpp/counting/{device-time,energy,meter-unit,power}',
  'ocpp/metering/readings',
  'ocpp/transactions/{same-charge,stop-match}',
  'payments/{bank-terms,decline,fiscal-item,payment,schedule,monobank/mapping,monobank/terms}',
  'rfid/card',
  'site-power/{divide,turns}',
  'stations/{chunk,connection,connector-status,day-window,progress,promotion,tariff}',
  'stats/range',
  'wallet/{masked-name,reversal,transaction,transfer}',
];

test('domain files are pure: no database, no clock, no waiting', () => {
  for (const pattern of pure) {
    const files = globSync(`apps/server/src/${pattern}.ts`, { cwd: root });
    expect([pattern, files.length]).toEqual([pattern, pattern.split(',').length]);
    for (const file of files) {
      const source = readFileSync(join(root, file), 'utf8');
      const impure = /\basync\b|\bawait\b|new Date\(\)|Date\.now|\bClock\b|'kysely'|'pg'|setTimeout|Math\.random/;
      expect([file, source.match(impure)]).toEqual([file, null]);
      expect([file, source.match(/from '[^']*platform\/(?!refusal|kyiv-time)[^']*'/)]).toEqual([file, null]);
    }
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

test('scripts may use the support of the browser tests, which use no script', () => {
  expect(
    importsOf('e2e')
      .filter(({ to }) => to.startsWith('../scripts'))
      .map(show),
  ).toEqual([]);
  const apps = ['server', 'web', 'simulator', 'sandbox'].flatMap((app) => importsOf(`apps/${app}`));
  expect(apps.filter(({ to }) => /^(\.\.\/)+scripts\//.test(to)).map(show)).toEqual([]);
});

test('the folder of the server reads as a table of contents', () => {
  expect(globSync('*', { cwd: join(root, 'apps/server/src') }).length).toBeLessThanOrEqual(30);
});

test('only config.ts reads the environment', () => {
  const readers = globSync('apps/server/src/**/*.ts', { cwd: root })
    .filter((file) => !isTest.test(file) && !/\/(config\/config|main)\.ts$|\/cli\//.test(file))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
  expect(readers).toEqual([]);
});
