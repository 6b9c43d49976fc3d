import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { type Flags } from 'lighthouse';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { freePorts } from '../../scripts/ports.ts';
import { demoIsConnected } from '../support/connected.ts';
import { javaScriptOf } from '../support/javascript.ts';

/** Measures the first pages as on a phone: empty cache, Lighthouse's slow network, a quarter of the CPU speed. */
interface Goal {
  page: string;
  path: string;
  isSignedIn: boolean;
  performance: number;
  accessibility?: number;
  bestPractices?: number;
  /** The README's limits for the two pages that a new driver waits for. */
  javaScriptBytes?: number;
  lcpMs?: number;
  tbtMs?: number;
}

const budgetBytes = 110 * 1024;
const isGood = { accessibility: 100, bestPractices: 95 } as const;
const isFast = { javaScriptBytes: budgetBytes, lcpMs: 1800, tbtMs: 150 } as const;
const runsPerPage = Number(process.env.BENCH_RUNS ?? 3);
const driver = '+380500000001';

const chromeFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without these the browser reads English but requests no language, so the page would be loaded in two languages.
  '--lang=uk-UA',
  '--accept-lang=uk-UA,uk',
];

interface Figures {
  performance: number;
  accessibility: number;
  bestPractices: number;
  lcpMs: number;
  tbtMs: number;
  /** Audits that keep a score below 100. */
  remarks: string[];
}

/** Prints a line per page and returns whether every goal was reached. */
export async function benchFirstLoad(site: string, only: readonly string[] = []): Promise<boolean> {
  await demoIsConnected(site);
  const cookies = await signIn(site);
  const goals: Goal[] = [
    { page: '/station', path: '/station/F1001', isSignedIn: true, performance: 95, ...isGood, ...isFast },
    { page: '/auth', path: '/auth', isSignedIn: false, performance: 95, ...isGood, ...isFast },
    { page: '/status', path: `/status/${await anOperation(site)}`, isSignedIn: true, performance: 95, ...isGood },
    { page: '/map', path: '/map', isSignedIn: true, performance: 85 },
  ];
  let isFine = true;
  for (const goal of goals.filter(({ page }) => only.length === 0 || only.includes(page))) {
    const given = goal.isSignedIn ? cookies : [];
    const { bytes, files } = await inBrowser(given, async ({ context }) =>
      javaScriptOf(await context.newPage(), site + goal.path),
    );
    const runs: Figures[] = [];
    for (let run = 0; run < runsPerPage; run++) {
      runs.push(await inBrowser(given, ({ port }) => audit(site + goal.path, port)));
    }
    const figures = medianOf(runs);
    const misses = missesOf(goal, figures, bytes);
    isFine &&= misses.length === 0;
    console.log(
      `${goal.page.padEnd(9)} performance ${figures.performance}  accessibility ${figures.accessibility}  best practices ${figures.bestPractices}` +
        `  LCP ${Math.round(figures.lcpMs)} ms  TBT ${Math.round(figures.tbtMs)} ms  JavaScript ${(bytes / 1024).toFixed(1)} KB in ${files.length} files` +
        (misses.length > 0 ? `\n          missed: ${misses.join(', ')}` : ''),
    );
    for (const remark of figures.remarks) console.log(`          ${remark}`);
  }
  return isFine;
}

type Cookies = { name: string; value: string; url: string }[];

async function signIn(site: string): Promise<Cookies> {
  const client = createTestClient(site);
  const { status } = await client.mutate('POST', '/api/login', { phone_number: driver, password: demoPassword });
  if (status !== 200) throw new Error(`The demo's driver could not sign in: ${status}`);
  return Array.from(client.jar, ([name, value]) => ({ name, value, url: site }));
}

/** A finished operation, because its page does not change during the measurement. */
async function anOperation(site: string): Promise<number> {
  const client = createTestClient(site);
  await client.mutate('POST', '/api/login', { phone_number: driver, password: demoPassword });
  const { body } = await client.get('/api/user/history/year');
  const [latest] = body as { transaction_id?: number; id?: number }[];
  const id = latest?.transaction_id ?? latest?.id;
  if (id === undefined) throw new Error('The demo’s driver has no history');
  return id;
}

interface Browser {
  context: Awaited<ReturnType<typeof chromium.launchPersistentContext>>;
  port: number;
}

/** A browser with an empty cache; only the session cookies are set. */
async function inBrowser<T>(cookies: Cookies, run: (browser: Browser) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fpay-bench-'));
  const [port = 0] = await freePorts(1);
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: [...chromeFlags, `--remote-debugging-port=${port}`],
    viewport: { width: 412, height: 823 },
  });
  try {
    if (cookies.length > 0) await context.addCookies(cookies);
    return await run({ context, port });
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function audit(url: string, port: number): Promise<Figures> {
  const flags: Flags = {
    port,
    // The browser is new, so the cookies are its only storage, and they must stay.
    disableStorageReset: true,
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    logLevel: 'error',
  };
  const outcome = await lighthouse(url, flags);
  if (!outcome) throw new Error(`Lighthouse has no result for ${url}`);
  const { categories, audits, runtimeError } = outcome.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const failed = ['accessibility', 'best-practices'].flatMap((name) =>
    (categories[name]?.auditRefs ?? []).filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0),
  );
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    lcpMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    tbtMs: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    remarks: failed.map(({ id }) => audits[id]?.title ?? id),
  };
}

/** The median of several runs, so that one disturbed run does not count. */
function medianOf(runs: Figures[]): Figures {
  const inOrder = [...runs].sort((a, b) => a.performance - b.performance || b.lcpMs - a.lcpMs);
  const middle = inOrder[Math.floor(inOrder.length / 2)];
  if (!middle) throw new Error('Nothing was measured');
  return middle;
}

function missesOf(goal: Goal, figures: Figures, bytes: number): string[] {
  const atLeast = (name: 'performance' | 'accessibility' | 'bestPractices') =>
    figures[name] < (goal[name] ?? 0) ? [`${name} below ${goal[name]}`] : [];
  const below = (name: string, value: number, limit: number | undefined) =>
    limit !== undefined && value > limit ? [`${name} above ${limit}`] : [];
  return [
    ...atLeast('performance'),
    ...atLeast('accessibility'),
    ...atLeast('bestPractices'),
    ...below('LCP', figures.lcpMs, goal.lcpMs),
    ...below('TBT', figures.tbtMs, goal.tbtMs),
    ...below('JavaScript', bytes, goal.javaScriptBytes),
  ];
}
