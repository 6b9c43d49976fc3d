import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { type Browser, chromium, type Page } from '@playwright/test';
import pg from 'pg';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { demoIsConnected } from '../support/connected.ts';
import { startStack } from '../support/stack.ts';

/** The operations list of staff: how soon it is there in a browser that has never seen it, and how smoothly it scrolls. */
const goals = { coldMs: 1000, frameMs: 17.5 } as const;
const operations = 10_000;
const coldLoads = 5;
const scrollMs = 10_000;
const viewports = {
  'laptop, 1440 × 900': { width: 1440, height: 900 },
  'phone, 390 × 844': { width: 390, height: 844 },
};
const chromeFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
process.env.DATA_DIR = dataDir;
const stop = await startStack();
const site = process.env.FPAY_URL ?? '';
let isFine = true;

function report(what: string, ms: number, goalMs: number): void {
  isFine &&= ms <= goalMs;
  console.log(
    `${ms <= goalMs ? 'ok    ' : 'missed'} ${what.padEnd(58)} ${ms.toFixed(1).padStart(7)} ms, goal ${goalMs}`,
  );
}

try {
  await demoIsConnected(site);
  await writeOperations();
  const cookies = await signIn();
  for (const [name, viewport] of Object.entries(viewports)) {
    const times: number[] = [];
    for (let load = 0; load < coldLoads; load += 1) {
      await withPage(cookies, viewport, async (page) => void times.push(await coldLoadMs(page)));
    }
    report(`cold load to the first rows, ${name}`, middle(times), goals.coldMs);
    await withPage(cookies, viewport, async (page) => {
      await loadAll(page);
      const frames = (await framesWhileScrolling(page)).sort((a, b) => a - b);
      const p95 = frames[Math.floor(frames.length * 0.95)] ?? Number.POSITIVE_INFINITY;
      report(`p95 frame of ${frames.length} in ${operations} rows, ${name}`, p95, goals.frameMs);
    });
  }
} finally {
  await stop();
  await removeEmbeddedPostgres(dataDir, 'full');
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = isFine ? 0 : 1;

/** Copies of a finished charge of the demo, an hour apart. */
async function writeOperations(): Promise<void> {
  const quiet = { info() {}, warn() {} };
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  const url = new URL(postgres.adminUrl);
  url.pathname = '/fpay';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica;
      insert into operations overriding system value
      select made.*
      from (select * from operations where status = 'finished' order by id limit 1) o, generate_series(1, ${operations}) i,
        jsonb_populate_record(null::operations, to_jsonb(o) || jsonb_build_object('id', 1000000 + i, 'id_tag', 'BENCH' || i,
          'created_at', o.created_at - i * interval '1 hour', 'energy_wh', 1000 + i, 'total', 1500 + i)) made`);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

async function signIn() {
  const client = createTestClient(site);
  const { status } = await client.mutate('POST', '/api/login', {
    phone_number: '+380500000014',
    password: demoPassword,
  });
  if (status !== 200) throw new Error(`sign-in answered ${status}`);
  return Array.from(client.jar, ([name, value]) => ({ name, value, url: site }));
}

async function withPage(
  cookies: Awaited<ReturnType<typeof signIn>>,
  viewport: { width: number; height: number },
  measure: (page: Page) => Promise<void>,
): Promise<void> {
  // A browser of its own has an empty cache and no compiled scripts.
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: chromeFlags,
  });
  try {
    // The language of the account; a browser with another one would load the texts twice on its first visit.
    const context = await browser.newContext({ viewport, serviceWorkers: 'block', locale: 'uk-UA' });
    await context.addCookies(cookies);
    await measure(await context.newPage());
  } finally {
    await browser.close();
  }
}

/** From the start of the navigation to the frame that shows the first row. */
async function coldLoadMs(page: Page): Promise<number> {
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-row]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('staff-rows'), 0));
  }).observe(document, { childList: true, subtree: true });`);
  await page.goto(`${site}/admin/operations`, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('staff-rows').length > 0, null, {
    timeout: 60_000,
    polling: 100,
  });
  return page.evaluate("performance.getEntriesByName('staff-rows')[0].startTime");
}

async function loadAll(page: Page): Promise<void> {
  await page.goto(`${site}/admin/operations?count=500`);
  await page.waitForSelector('[data-row]', { timeout: 60_000 });
  for (let pages = 1; pages < operations / 500; pages += 1) {
    const answer = page.waitForResponse((response) => response.url().includes('/api/admin/operations/last/500'));
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByRole('button', { name: '500' }).last().click();
    await answer;
  }
  await page.evaluate('scrollTo(0, 0)');
  await page.waitForTimeout(1000);
}

/** The wheel is turned down through all rows and up again without a pause. */
async function framesWhileScrolling(page: Page): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames = [];
    let before = performance.now();
    (function frame(now) {
      if (now !== undefined) { frames.push(now - before); before = now; }
      requestAnimationFrame(frame);
    })();
  `);
  await page.mouse.move(195, 500);
  const until = Date.now() + scrollMs;
  for (let notch = 0; Date.now() < until; notch += 1) {
    await page.mouse.wheel(0, notch % 200 < 100 ? 400 : -400);
    await page.waitForTimeout(16);
  }
  const frames: number[] = await page.evaluate('frames');
  return frames.slice(1);
}

function middle(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;
}
