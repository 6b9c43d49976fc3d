import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { demoIsConnected } from '../support/connected.ts';
import { javaScriptOf } from '../support/javascript.ts';

/** Measures the first pages as on a cheap phone: empty cache, slow 4G, a quarter of the CPU speed. */
interface Goal {
  page: string;
  path: string;
  isSignedIn: boolean;
  /** The README's limits for the two pages that a new driver waits for. */
  javaScriptBytes?: number;
  lcpMs?: number;
  tbtMs?: number;
}

const isFast = { javaScriptBytes: 110 * 1024, lcpMs: 1800, tbtMs: 150 } as const;
/** 1.6 Mbit/s down, 750 kbit/s up, a round trip of 150 ms. */
const slow4G = { offline: false, downloadThroughput: 204_800, uploadThroughput: 93_750, latency: 150 } as const;
const cpuSlowdown = 4;
/** A page that has done nothing for so long has finished loading. */
const quietMs = 3000;
/** The part of a task above this makes a press wait; the sum is the blocking time (TBT). */
const taskMs = 50;
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
  lcpMs: number;
  tbtMs: number;
}

/** Prints a line per page and returns whether every goal was reached. */
export async function benchFirstLoad(site: string, only: readonly string[] = []): Promise<boolean> {
  await demoIsConnected(site);
  const cookies = await signIn(site);
  const goals: Goal[] = [
    { page: '/station', path: '/station/F1001', isSignedIn: true, ...isFast },
    { page: '/auth', path: '/auth', isSignedIn: false, ...isFast },
    { page: '/status', path: `/status/${await anOperation(site)}`, isSignedIn: true },
    { page: '/map', path: '/map', isSignedIn: true },
  ];
  let isFine = true;
  for (const goal of goals.filter(({ page }) => only.length === 0 || only.includes(page))) {
    const given = goal.isSignedIn ? cookies : [];
    const { bytes, files } = await inBrowser(given, async (context) =>
      javaScriptOf(await context.newPage(), site + goal.path),
    );
    const runs: Figures[] = [];
    for (let run = 0; run < runsPerPage; run++) {
      runs.push(await inBrowser(given, async (context) => measure(await context.newPage(), site + goal.path)));
    }
    const lcpMs = medianOf(runs.map((run) => run.lcpMs));
    const tbtMs = medianOf(runs.map((run) => run.tbtMs));
    const misses = [
      ...above('LCP', lcpMs, goal.lcpMs),
      ...above('TBT', tbtMs, goal.tbtMs),
      ...above('JavaScript', bytes, goal.javaScriptBytes),
    ];
    isFine &&= misses.length === 0;
    console.log(
      `${goal.page.padEnd(9)} LCP ${Math.round(lcpMs)} ms  TBT ${Math.round(tbtMs)} ms  JavaScript ${(bytes / 1024).toFixed(1)} KB in ${files.length} files` +
        (misses.length > 0 ? `\n          missed: ${misses.join(', ')}` : ''),
    );
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

/** A browser with an empty cache; only the session cookies are set. */
async function inBrowser<T>(cookies: Cookies, run: (context: BrowserContext) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fpay-bench-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: chromeFlags,
    viewport: { width: 412, height: 823 },
  });
  try {
    if (cookies.length > 0) await context.addCookies(cookies);
    return await run(context);
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(page: Page, url: string): Promise<Figures> {
  const cdp = await page.context().newCDPSession(page);
  await asOnAPhone(cdp);
  await page.addInitScript(() => {
    const seen = { lcpMs: Number.NaN, longTasks: [] as { start: number; ms: number }[] };
    Object.assign(globalThis, { firstLoad: seen });
    function observe(type: string, each: (entry: { startTime: number; duration: number }) => void): void {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(each));
      // Node's types know only Node's own entries.
      observer.observe({ type: type as 'mark', buffered: true });
    }
    observe('largest-contentful-paint', ({ startTime }) => {
      seen.lcpMs = startTime;
    });
    observe('longtask', ({ startTime, duration }) => void seen.longTasks.push({ start: startTime, ms: duration }));
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(quietMs);
  const { lcpMs, firstPaintMs, longTasks } = await page.evaluate(() => {
    const { firstLoad } = globalThis as unknown as {
      firstLoad: { lcpMs: number; longTasks: { start: number; ms: number }[] };
    };
    const [firstPaint] = performance.getEntriesByName('first-contentful-paint');
    return { ...firstLoad, firstPaintMs: firstPaint?.startTime ?? 0 };
  });
  if (!(lcpMs > 0)) throw new Error(`${url} reported no largest paint`);
  const blocking = longTasks.filter(({ start, ms }) => start + ms > firstPaintMs).map(({ ms }) => ms - taskMs);
  return { lcpMs, tbtMs: blocking.reduce((sum, ms) => sum + ms, 0) };
}

async function asOnAPhone(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slow4G);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
}

/** So that one disturbed run does not count. */
function medianOf(values: number[]): number {
  const inOrder = [...values].sort((a, b) => a - b);
  const middle = inOrder[Math.floor(inOrder.length / 2)];
  if (middle === undefined) throw new Error('Nothing was measured');
  return middle;
}

const above = (name: string, value: number, limit: number | undefined) =>
  limit !== undefined && value > limit ? [`${name} above ${limit}`] : [];
