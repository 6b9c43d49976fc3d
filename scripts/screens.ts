import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { demoPassword } from '../apps/server/src/demo/accounts.ts';
import { createClient } from '../apps/server/src/testing/client.ts';
import { cameraVideo } from '../apps/web/src/testing/camera-video.ts';
import config from '../e2e/playwright.config.ts';
import { demoIsConnected } from '../e2e/support/connected.ts';
import startStack from '../e2e/support/stack.ts';
import { ensureBrowser } from './browser.ts';
import { type Screen, screens } from './screens/list.ts';
import { buildWeb } from './web-build.ts';

/**
 * Pictures of the main screens, taken from the whole product: `npm run screens`, or with names only those. They are for
 * people to look at; that the screens work is the browser tests' business.
 */
const folder = fileURLToPath(new URL('../docs/screens', import.meta.url));
/** Larger ones would make the repository heavy. */
const mostBytes = 60_000;
const quality = 78;

const asked = process.argv.slice(2);
const wanted = screens.filter(({ name }) => asked.length === 0 || asked.includes(name));

if (!process.env.WEB_DIST && !process.env.FPAY_URL) await buildWeb();
const executablePath = await ensureBrowser();
const stop = await startStack();
const site = process.env.FPAY_URL ?? '';
const films = await mkdtemp(join(tmpdir(), 'fpay-camera-'));
const film = join(films, 'wall.y4m');
await writeFile(film, Buffer.concat(cameraVideo([{ code: null, seconds: 2 }])));
const browser = await chromium.launch({
  executablePath,
  args: [
    ...(config.use?.launchOptions?.args ?? []),
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ],
});
try {
  await mkdir(folder, { recursive: true });
  await demoIsConnected(site);
  for (const screen of wanted) await shoot(browser, screen);
} finally {
  await browser.close();
  await rm(films, { recursive: true });
  await stop();
}

async function shoot(browser: Browser, { name, path, as, looks, before, act }: Screen): Promise<void> {
  let address: string = path;
  if (before) {
    const page = await open(browser, 'uk light', as);
    // What was prepared may say where to look.
    const found = await before(page);
    if (path === '' && typeof found === 'string') address = found;
    await page.context().close();
  }
  for (const look of looks) {
    const page = await open(browser, look, as);
    await page.goto(address);
    await page.getByRole('main').waitFor();
    await act?.(page);
    await settle(page);
    const file = join(folder, `${name}-${look.replace(' ', '-')}.webp`);
    await save(page, file);
    console.log(`${file.slice(folder.length + 1)} ${Math.round((await stat(file)).size / 1024)} KB`);
    await page.context().close();
  }
}

async function open(browser: Browser, look: Screen['looks'][number], phone?: string): Promise<Page> {
  const [language, colorScheme] = look.split(' ') as ['uk' | 'en' | 'pl', 'light' | 'dark'];
  const context = await browser.newContext({
    baseURL: site,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  await context.addInitScript(`localStorage.setItem('fpay.language', '${language}')`);
  if (phone) {
    const client = createClient(site);
    const { status } = await client.mutate('POST', '/api/login', { phone_number: phone, password: demoPassword });
    if (status !== 200) throw new Error(`${phone} could not sign in: ${status}`);
    await context.addCookies(Array.from(client.jar, ([cookie, value]) => ({ name: cookie, value, url: site })));
  }
  return context.newPage();
}

/** Skeletons have given way, fonts are there, nothing is being fetched. */
async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(500);
}

/** WebP is half of what PNG is; Playwright does not write it, the browser does. */
async function save(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.byteLength > mostBytes) console.warn(`${file} is larger than ${mostBytes / 1000} KB`);
  await writeFile(file, bytes);
}
