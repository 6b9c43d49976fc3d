import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '@fpay/contract/person';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { demoPassword } from '../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../apps/server/src/testing/client.ts';
import { cameraVideo } from '../apps/web/src/testing/camera-video.ts';
import config from '../e2e/playwright.config.ts';
import { demoIsConnected } from '../e2e/support/connected.ts';
import { startStack } from '../e2e/support/stack.ts';
import { ensureBrowser } from './browser.ts';
import { screens } from './screens/list.ts';
import type { Look, Screen } from './screens/screen.ts';
import { stateScreens } from './screens/states.ts';
import { tour } from './screens/tour.ts';
import { buildWeb } from './web-build.ts';

/**
 * Takes pictures of the main screens from the whole product: `npm run screens`, or only those with the given names;
 * `staff*` stands for all names that begin like this. `npm run screens -- tour` takes those of docs/tour.md.
 * They are for people; the browser tests prove that the screens work.
 */
const asked = process.argv.slice(2);
const isTour = asked[0] === 'tour';
const ownFolder = fileURLToPath(new URL(isTour ? '../docs/tour' : '../docs/screens', import.meta.url));
const folder = process.env.SCREENS_DIR ?? ownFolder;
/** Larger pictures would make the repository too big. */
const mostBytes = 60_000;
const quality = 78;
const heights: Record<string, number> = { 390: 844, 1280: 800, 1440: 900 };
/** The list of signed-in devices names the browser. */
const browserOfPictures =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

type Session = Parameters<BrowserContext['addCookies']>[0];
const sessions = new Map<string, Session>();

const isAsked = (name: string) =>
  asked.some((part) => (part.endsWith('*') ? name.startsWith(part.slice(0, -1)) : name === part));
const all = [...screens, ...stateScreens];
const wanted = isTour ? tour : asked.length === 0 ? screens : all.filter(({ name }) => isAsked(name));
/**
 * `ALL_LOOKS=1` takes each picture in these looks, which are too many to keep: every language in both themes, on every
 * width, and with text of twice the size. `LOOKS='pl dark 320,uk light large'` takes only these.
 */
const allLooks: readonly Look[] = [
  ...(['uk light', 'uk dark', 'pl light'] as const),
  ...(['en light 320', 'pl dark 320'] as const),
  ...(['uk light large', 'pl dark large'] as const),
  ...(['uk light 1440', 'en dark 1440'] as const),
];
const askedLooks = process.env.ALL_LOOKS ? allLooks : (process.env.LOOKS?.split(',') as Look[] | undefined);

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
    // The preparation may return the address of the screen.
    const found = await before(page);
    if (path === '' && typeof found === 'string') address = found;
    await page.context().close();
  }
  for (const look of askedLooks ?? looks) {
    const page = await open(browser, look, as);
    const file = join(folder, `${isTour ? name : `${name}-${look.replaceAll(' ', '-')}`}.webp`);
    // A screen that cannot be reached is reported, and the other pictures are taken.
    try {
      await page.goto(address);
      await page.getByRole('main').waitFor();
      await act?.(page);
      await settle(page);
      await save(page, file);
      console.log(`${file.slice(folder.length + 1)} ${Math.round((await stat(file)).size / 1024)} KB`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name}, ${look}: ${String(error).split('\n', 3).join(' ')}`);
    }
    await page.context().close();
  }
}

async function open(browser: Browser, look: Look, phone?: string): Promise<Page> {
  const [language, colorScheme, size = '390'] = look.split(' ') as [Language, 'light' | 'dark', string?];
  const width = size === 'large' ? '390' : size;
  const context = await browser.newContext({
    baseURL: site,
    viewport: { width: Number(width), height: heights[width] ?? 640 },
    // A picture of a computer's screen would be too large with two pixels a point.
    deviceScaleFactor: Number(width) >= 1280 ? 1 : 2,
    colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    // A busy machine makes Playwright look at a condition again, which the policy of the pages does not allow.
    bypassCSP: true,
  });
  await context.addInitScript(`localStorage.setItem('fpay.language', '${language}')`);
  // As the setting of the browser does it, because all sizes of the page are counted in it.
  if (size === 'large') {
    const enlarge = "document.documentElement.style.fontSize = '200%'";
    await context.addInitScript(`document.addEventListener('readystatechange', () => { ${enlarge}; })`);
  }
  if (phone) await context.addCookies(await sessionOf(phone));
  return context.newPage();
}

/** Each account signs in once, because an address may sign in only so often. */
async function sessionOf(phone: string): Promise<Session> {
  const known = sessions.get(phone);
  if (known) return known;
  const client = createTestClient(site);
  const credentials = { phone_number: phone, password: demoPassword };
  const { status } = await client.mutate('POST', '/api/login', credentials, {
    headers: { 'user-agent': browserOfPictures },
  });
  if (status !== 200) throw new Error(`${phone} could not sign in: ${status}`);
  const session = Array.from(client.jar, ([name, value]) => ({ name, value, url: site }));
  sessions.set(phone, session);
  return session;
}

/** Waits until no data is loading, skeletons are replaced by what they stand for, and the app's own font is there. */
async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForFunction(`!document.querySelector('.animate-breathe')`);
  // Fonts are declared after the first paint; until then the document reports that none is missing.
  await page.waitForFunction(`Array.from(document.fonts).some(({ status }) => status === 'loaded')`);
  await page.waitForTimeout(500);
}

/** WebP is half the size of PNG. Playwright cannot write it, but the browser can. */
async function save(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.byteLength > mostBytes) console.warn(`${file} is larger than ${mostBytes / 1000} KB`);
  await writeFile(file, bytes);
}
