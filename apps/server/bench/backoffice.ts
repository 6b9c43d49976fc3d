import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { holdFilters, statusFilters } from '@fpay/contract/admin/filters';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { migrateProduct } from '../src/app/schema.ts';
import { operationsCsv } from '../src/backoffice/export/exports.ts';
import { createFeedbackList } from '../src/backoffice/feedback/list.ts';
import { createOperationList } from '../src/backoffice/operations/list.ts';
import type { OperationFilter } from '../src/backoffice/operations/pages.ts';
import { createOwnMoney } from '../src/backoffice/own-money/profit.ts';
import { createSearch } from '../src/backoffice/search.ts';
import { createStatsService } from '../src/backoffice/stats/service.ts';
import { createUserDetail } from '../src/backoffice/users/detail.ts';
import { createUserList } from '../src/backoffice/users/list.ts';
import { systemClock } from '../src/platform/clock.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { createWalletService } from '../src/wallet/service.ts';
import { createWalletStore } from '../src/wallet/store.ts';
import { writeBackofficeData } from './backoffice-data.ts';

/**
 * Measures the lists of staff in a large network: ten million operations, a million users. `BENCH_OPERATIONS` makes it
 * smaller; `BENCH_DATA` names a directory whose database is kept, and used again by the next run.
 */
const operations = Number(process.env.BENCH_OPERATIONS ?? 10_000_000);
const size = { operations, users: Math.max(1_000, Math.round(operations / 10)), stations: 500, days: 1_095 };
const exportedRows = Math.min(1_000_000, operations);
const kept = process.env.BENCH_DATA;
/** The goals. */
const mostListMs = 100;
const mostStatsMs = 1_000;
const mostGrowthBytes = 64 * 1024 * 1024;
/** Each question is asked so often at least; few questions are asked more often, so that a p99 means something. */
const leastRounds = 5;
const leastAsks = 300;

const quiet = { info() {}, warn: (fields: object, message: string) => console.warn(message, fields) };

async function main(): Promise<void> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'fpay-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateProduct({ url: postgres.ownerUrl });
    const { db, close } = openDatabase({ url: postgres.appUrl, poolSize: 4 });
    try {
      const isFilled = await db.selectFrom('operations').select('id').limit(1).executeTakeFirst();
      if (!isFilled) await writeBackofficeData(postgres.adminUrl, size);
      process.exitCode = (await measure(db)) ? 0 : 1;
    } finally {
      await close();
    }
  } finally {
    await postgres.stop();
    if (kept === undefined) {
      await removeEmbeddedPostgres(dataDir, 'full');
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
}

async function measure(db: Database): Promise<boolean> {
  const list = createOperationList(db);
  const detail = createUserDetail({
    db,
    transactions: createWalletService({ ledger: createWalletStore(db, systemClock) }).transactions,
    ownMoney: createOwnMoney(db),
  });
  const search = createSearch(db);
  const feedback = createFeedbackList(db);
  const stats = createStatsService(db, systemClock);
  const users = createUserList(db);
  const phones = await db.selectFrom('users').select('phone_number').where('id', 'in', [1, 777, 999]).execute();
  const viewer = { id: 1, role: 'SuperAdmin' } as const;
  const every = { from: 1, to: 5, withCommentsOnly: false };
  const now = new Date();
  const yearAgo = new Date(now.getTime() - 365 * 86_400_000);
  const year = { from: yearAgo.toISOString(), to: now.toISOString(), tz: 'Europe/Kyiv' };

  const pairs = pairsOf();
  const asked: Record<string, Record<string, () => Promise<unknown>>> = {
    'operation list, every pair of filters': byName(pairs, (filter) => list.list(filter, 50)),
    'operation count, every pair of filters': byName(pairs, (filter) => list.count(filter)),
    'operations of a user, 100': byName(
      ['1', '2', '12345', '999999999'].map((user) => ({ user })),
      (filter) => list.list(filter, 100),
    ),
    'user lookup': byName([...phones.map(({ phone_number }) => phone_number), '1', '2', '777'], (text) =>
      detail(text, viewer).catch(() => null),
    ),
    'user list': byName(
      [{ withTemporary: true }, { withTemporary: false }, { withTemporary: true, role: 'Banned' as const }],
      (filter) => users(filter, 50),
    ),
    search: byName(searched, (text) => search(text, 'SuperAdmin')),
    'feedback page': byName(
      [
        every,
        { ...every, withCommentsOnly: true },
        { ...every, to: 2 },
        { ...every, from: 2, to: 2, withCommentsOnly: true },
        { ...every, station: 'F1001' },
        { ...every, station: 'F1499', to: 1, withCommentsOnly: true },
        { ...every, user: '1' },
        { ...every, user: '2', to: 1 },
      ],
      (filter) => feedback.page(filter, 1, { key: 'rating', isDescending: true }),
    ),
    'sorted operations': byName(
      [{}, { hold: 'fail' as const }, { status: 'failed' as const }, { status: 'open' as const }, { station: 'F1001' }],
      (filter) => list.list(filter, 50, { key: 'total', isDescending: true }),
    ),
    'sorted users': byName([false, true], (withTemporary) =>
      users({ withTemporary }, 50, { key: 'name', isDescending: false }),
    ),
  };
  const results = [];
  for (const [name, ways] of Object.entries(asked)) results.push({ name, ...(await timesOf(ways)) });
  console.table(
    Object.fromEntries(results.map(({ name, p50, p99, most }) => [name, { p50, p99, most, goal: mostListMs }])),
  );
  for (const { name, slowest } of results) console.log(name, slowest.join(' · '));

  const overall = await timesOf({ 'stats of a year': () => stats.overall(year) }, 20);
  const charts = await timesOf({ 'charts of a year': () => stats.charts(year) }, 3);
  console.log('stats of a year, ms', overall, 'charts', charts.p50);
  const growth = await memoryWhileExporting(db);
  return results.every(({ p99 }) => p99 < mostListMs) && overall.p99 < mostStatsMs && growth < mostGrowthBytes;
}

const searched = [
  '1',
  '9999999',
  '4444',
  '380',
  'Олена',
  'ол',
  'F1001',
  'Хрещатик',
  'CP-000001',
  'inv0000000777',
  '000000000777',
  'A1B2',
  'нічого такого',
];

/** One value of each kind that matches much, little and nothing; every two of different kinds together. */
function pairsOf(): OperationFilter[] {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const kinds: OperationFilter[][] = [
    ['F1001', 'F1250', 'F1500', 'F0000'].map((station) => ({ station })),
    ['1', '2', '500000', '999999999'].map((user) => ({ user })),
    Object.keys(statusFilters).map((status) => ({ status: status as keyof typeof statusFilters })),
    Object.keys(holdFilters).map((hold) => ({ hold: hold as keyof typeof holdFilters })),
    (['bank', 'bonuses', 'free'] as const).map((payment_type) => ({ payment_type })),
    [{ from: ago(1) }, { from: ago(400), to: ago(399) }, { to: ago(900) }, { from: ago(5_000), to: ago(4_000) }],
  ];
  return [
    {},
    ...kinds.flat(),
    ...kinds.flatMap((one, index) =>
      kinds.slice(index + 1).flatMap((other) => one.flatMap((a) => other.map((b) => ({ ...a, ...b })))),
    ),
  ];
}

function byName<Input>(inputs: readonly Input[], ask: (input: Input) => Promise<unknown>) {
  return Object.fromEntries(inputs.map((input) => [JSON.stringify(input), () => ask(input)]));
}

/** The first round fills the caches and is not counted. */
async function timesOf(ways: Record<string, () => Promise<unknown>>, asks = leastAsks) {
  const times: { name: string; ms: number }[] = [];
  const rounds = Math.max(Math.min(leastRounds, asks), Math.ceil(asks / Object.keys(ways).length));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, ask] of Object.entries(ways)) {
      const startedAt = performance.now();
      await ask();
      if (round > 0) times.push({ name, ms: Math.round((performance.now() - startedAt) * 10) / 10 });
    }
  }
  const sorted = times.toSorted((one, other) => one.ms - other.ms);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.ms ?? 0;
  const slowest = [...new Map(sorted.map(({ name, ms }) => [name, ms]))]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 5)
    .map(([name, ms]) => `${name} ${ms}`);
  return { p50: at(0.5), p99: at(0.99), most: at(1), slowest };
}

/** A reader that takes the file as it comes. What the process holds after a tenth of it and at its end is compared. */
async function memoryWhileExporting(db: Database): Promise<number> {
  const startedAt = performance.now();
  const csv = operationsCsv(createOperationList(db), {});
  let rows = 0;
  let early = 0;
  let most = 0;
  for await (const chunk of csv) {
    rows += String(chunk).split('\n').length - 1;
    const { rss } = process.memoryUsage();
    if (rows > exportedRows / 10 && early === 0) early = rss;
    if (early > 0) most = Math.max(most, rss);
    if (rows >= exportedRows) break;
    await nextTurn();
  }
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`CSV of ${rows} rows in ${seconds} s: ${megabytes(early)} after a tenth, at most ${megabytes(most)}`);
  return most - early;
}

await main();
