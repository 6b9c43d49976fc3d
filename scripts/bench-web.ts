import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchFirstLoad } from '../e2e/bench/first-load.ts';
import { startStack } from '../e2e/support/stack.ts';
import { ensureBrowser } from './browser.ts';
import { buildWeb } from './web-build.ts';

/**
 * `npm run bench:web` measures what a driver waits for, with the real product in a real browser: the first pages, then
 * the map. `npm run bench:web -- /station map` measures only these. Nothing else should run on the machine, because it
 * would halve the figures.
 */
const wanted = process.argv.slice(2);
const pages = wanted.filter((name) => name.startsWith('/'));
const benches = fileURLToPath(new URL('../e2e/bench', import.meta.url));

process.env.CHROME_PATH ??= await ensureBrowser();
if (!process.env.WEB_DIST) await buildWeb();
let isFine = true;

if (wanted.length === 0 || pages.length > 0) {
  const stop = await startStack();
  try {
    console.log('— the first pages, as on a cheap phone —');
    isFine = await benchFirstLoad(process.env.FPAY_URL ?? '', pages);
  } finally {
    await stop();
    // The variables belong to the product that was just stopped; the next one has its own.
    for (const name of ['FPAY_URL', 'SANDBOX_URL', 'SIMULATOR_URL']) delete process.env[name];
  }
}

for (const file of globSync('*.bench.ts', { cwd: benches }).sort()) {
  const name = basename(file, '.bench.ts');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n— ${name} —`);
  const { status } = spawnSync(process.execPath, [join(benches, file)], { stdio: 'inherit' });
  isFine &&= status === 0;
}
process.exitCode = isFine ? 0 : 1;
