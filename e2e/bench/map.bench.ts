import { spawnSync } from 'node:child_process';
import { type Browser, chromium, type Page } from '@playwright/test';
import { demoIsConnected } from '../support/connected.ts';
import { startStack } from '../support/stack.ts';
import { stationsOfUkraine } from './stations-of-ukraine.ts';

/** The map with 50,000 stations: time from data to markers, smoothness of movements, and response time of a filter. */
const goals = { markersMs: 400, filterMs: 100, frameMs: { 1: 20, 2: 40 } } as const;
const stations = 50_000;
const movingMs = 10_000;
const chromeFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const stop = await startStack();
const site = process.env.FPAY_URL ?? '';
const body = JSON.stringify(stationsOfUkraine(stations));
console.log(`${stations} stations, ${(body.length / 1e6).toFixed(1)} MB of JSON, Chromium without a GPU, 390 × 844`);
let isFine = true;

function report(what: string, ms: number, goalMs: number): void {
  isFine &&= ms < goalMs;
  console.log(
    `${ms < goalMs ? 'ok    ' : 'missed'} ${what.padEnd(58)} ${ms.toFixed(1).padStart(7)} ms, goal ${goalMs}`,
  );
}

try {
  await demoIsConnected(site);
  const pinned = pinTo('0');
  const core = pinned ? 'on one core' : 'on all cores: taskset is missing';
  await withMap(1, async (page) => {
    report(`data to clustered markers, ${core}`, await markersMs(page), goals.markersMs);
    for (const type of ['CCS2', 'Type 2', 'CHAdeMO']) {
      report(`filter ${type}, ${core}`, await filterMs(page, type), goals.filterMs);
    }
  });
  if (pinned) pinTo('0-1023');
  for (const ratio of [1, 2] as const) {
    await withMap(ratio, async (page) => {
      const frames = (await framesWhileMoving(page)).sort((a, b) => a - b);
      const p95 = frames[Math.floor(frames.length * 0.95)] ?? Number.POSITIVE_INFINITY;
      report(`p95 frame of ${frames.length} at device pixel ratio ${ratio}`, p95, goals.frameMs[ratio]);
    });
  }
} finally {
  await stop();
}
process.exitCode = isFine ? 0 : 1;

/** Pins this process and the browser that it starts to these cores; Linux only. */
function pinTo(cores: string): boolean {
  return spawnSync('taskset', ['-acp', cores, String(process.pid)]).status === 0;
}

async function withMap(ratio: number, measure: (page: Page) => Promise<void>): Promise<void> {
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: chromeFlags,
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: ratio,
      // The service worker would fetch the app shell during the measurement.
      serviceWorkers: 'block',
    });
    await page.route('**/api/map/stations**', async (route) => {
      const isRefresh = route.request().url().includes('since');
      // By then the map is ready, and so is what the page loads six seconds later for the first touch. Only the cost of
      // the stations is measured.
      if (!isRefresh) await new Promise((resolve) => setTimeout(resolve, 9000));
      await route.fulfill({
        headers: {
          'content-type': 'application/json',
          'x-map-version': '1',
          ...(isRefresh && { 'x-map-changes-since': '1' }),
        },
        body: isRefresh ? '[]' : body,
      });
    });
    await page.goto(`${site}/map`);
    await page.waitForFunction(() => performance.getEntriesByName('map-markers').length > 0, null, {
      timeout: 60_000,
      // By default Playwright polls at every frame, and each poll causes a frame.
      polling: 250,
    });
    await page.waitForTimeout(500);
    await measure(page);
  } finally {
    await browser.close();
  }
}

function markersMs(page: Page): Promise<number> {
  return page.evaluate(
    "performance.getEntriesByName('map-markers')[0].startTime - performance.getEntriesByName('map-data')[0].startTime",
  );
}

/** Time from the press to the remaining markers. */
async function filterMs(page: Page, type: string): Promise<number> {
  const chip = page.getByRole('button', { name: type, exact: true });
  const ms = await chip.evaluate(async (button: { click(): void }) => {
    const start = performance.now();
    button.click();
    const shown = () => performance.getEntriesByName('map-markers')[0]?.startTime ?? 0;
    while (shown() < start) await new Promise((resolve) => setTimeout(resolve, 1));
    return shown() - start;
  });
  await chip.click();
  await page.waitForTimeout(500);
  return ms;
}

/** Drags, flings and zooms without pause. */
async function framesWhileMoving(page: Page): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames = [];
    let before = performance.now();
    (function frame(now) {
      if (now !== undefined) { frames.push(now - before); before = now; }
      requestAnimationFrame(frame);
    })();
  `);
  const until = Date.now() + movingMs;
  for (let round = 0; Date.now() < until; round++) {
    const [x, y] = [195, 400];
    const angle = round * 2.4;
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 25; step++) {
      await page.mouse.move(x + Math.cos(angle) * step * 6, y + Math.sin(angle) * step * 6);
      await page.waitForTimeout(12);
    }
    await page.mouse.up();
    await page.waitForTimeout(150);
    for (let notch = 0; notch < 5; notch++) {
      await page.mouse.wheel(0, round % 4 < 2 ? 100 : -100);
      await page.waitForTimeout(40);
    }
    await page.waitForTimeout(250);
  }
  const frames: number[] = await page.evaluate('frames');
  return frames.slice(1);
}
