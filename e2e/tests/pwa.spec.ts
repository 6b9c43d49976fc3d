import type { BrowserContext, Page } from '@playwright/test';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { charger } from '../support/charger.ts';
import { anyPage, expect, open, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const uk = texts('uk');
/** Not the user whose balance other tests spend. */
const secondDriver = '+380500000002';
const lostNetwork = /ERR_INTERNET_DISCONNECTED|NetworkError|no answer|Failed to fetch/;

test.describe('the app on the device', () => {
  test.use({ serviceWorkers: 'allow', expectedConsoleError: lostNetwork });

  /** The first touch makes the service worker store the shell; resolves when it is stored. */
  async function cacheShell(page: Page): Promise<void> {
    await page.mouse.click(2, 2);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  }

  const cachedFiles = (page: Page) =>
    page.evaluate<string[]>(`(async () => {
      const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const kept = await Promise.all(opened.map((cache) => cache.keys()));
      return kept.flat().map(({ url }) => new URL(url).pathname);
    })()`);

  test('can be added to the home screen under the network’s name', async ({ page, request }) => {
    await open(page, anyPage);
    const href = await page.locator('link[rel="manifest"]').getAttribute('href');
    const manifest = await (await request.get(href ?? '')).json();
    const { brand } = await (await request.get('/api/settings')).json();
    expect(manifest).toMatchObject({ name: brand, display: 'standalone', start_url: '/' });
    expect(manifest.icons.map(({ purpose = 'any' }) => purpose)).toContain('maskable');
    for (const { src } of manifest.icons) expect((await request.get(src)).status(), src).toBe(200);
    await cacheShell(page);
  });

  test('opens without a network, shows that, and continues when the network is back', async ({ page, context }) => {
    await open(page, '/auth');
    await cacheShell(page);
    await context.setOffline(true);
    await page.goto('/active');
    await expect(page.getByRole('heading', { name: uk('generic:noConnection') })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('banner')).toBeVisible();
    // The user does not have to press anything.
    await context.setOffline(false);
    await expect(page).toHaveURL(/\/auth$/);
  });

  test('stores its own files, but no answer of the server, nor the code of the map and the scanner', async ({
    page,
    signIn,
  }) => {
    await signIn(people.driver);
    await open(page, '/station/F1001');
    await cacheShell(page);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'F1001' })).toBeVisible();
    const files = await cachedFiles(page);
    expect(files).toContain('/index.html');
    expect(
      files.filter((path) => !/^\/(assets\/|index\.html$|theme\.js$|icon\.svg$|manifest\.webmanifest$)/.test(path)),
    ).toEqual([]);
    expect(files.filter((path) => /(?<!parts-of-)map-page|qr-page|decode|ol-/.test(path))).toEqual([]);
  });
});

test.describe('a payment', () => {
  test.use({ expectedConsoleError: lostNetwork });
  test.setTimeout(180_000);

  test('whose answer is lost with the network is made once, and the page finds the result by itself', async ({
    page,
    context,
    site,
    signIn,
  }) => {
    const station = 'F1012';
    await signIn(secondDriver);
    await charger.plug(station);
    await page.goto(`/station/${station}`);
    await page.getByRole('button', { name: /NACS/ }).first().click({ timeout: 60_000 });
    await page.getByRole('button', { name: uk('payment:balance') }).click({ timeout: 60_000 });

    const before = await openOperations(context, site);
    const sent: { signature: string; status: number | null }[] = [];
    await page.route('**/api/payment/new', async (route) => {
      const { signature } = route.request().postDataJSON();
      if (sent.length > 0) {
        sent.push({ signature, status: null });
        return route.fallback();
      }
      // The server receives the request and pays; the network fails before the answer arrives.
      const response = await route.fetch();
      sent.push({ signature, status: response.status() });
      await context.setOffline(true);
      await route.abort('internetdisconnected');
      setTimeout(() => void context.setOffline(false), 1000);
    });
    await page.getByRole('button', { name: uk('payment:pay') }).click();

    await expect(page).toHaveURL(/\/status\/\d+$/, { timeout: 60_000 });
    expect(sent[0]?.status).toBe(200);
    expect(sent.length).toBeGreaterThan(1);
    // Every attempt is signed again with the nonce of the first.
    expect(new Set(sent.map(({ signature }) => signature.split('.')[2])).size).toBe(1);
    const operation = Number(/\d+$/.exec(page.url())?.[0]);
    expect((await openOperations(context, site)).filter((id) => !before.includes(id))).toEqual([operation]);

    await page.unroute('**/api/payment/new');
    await page.getByRole('button', { name: uk('status:finish') }).click({ timeout: 60_000 });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Зупинити$/i })
      .click();
    await charger.unplug(station);
  });
});

/** Requested outside of the page, whose network is switched off here. */
async function openOperations(context: BrowserContext, site: string): Promise<number[]> {
  const client = createTestClient(site);
  for (const { name, value } of await context.cookies()) client.jar.set(name, value);
  return (await client.get('/api/user')).body.active_operations;
}
