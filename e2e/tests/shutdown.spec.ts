import type { ChargePoint } from '../../apps/simulator/src/charge-point.ts';
import { addOneStation } from '../support/one-station.ts';
import { goToAmount, pressPay } from '../support/pay.ts';
import { type Product, startProduct } from '../support/stack.ts';
import { test as base, expect, open, people } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const longTimeout = { timeout: 60_000 };
const uk = texts('uk');
const station = 'F1001';

/** A product of its own, because a shutdown stops every other test. One station is enough for it. */
const test = base.extend<object, { own: Product & { device: ChargePoint } }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: the way to say that it needs nothing.
    async ({}, use) => {
      const product = await startProduct({ DEMO_NETWORK: 'none' });
      const device = await addOneStation({ site: product.url, station, driver: people.driver });
      await use({ ...product, device });
      device.stop();
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ own }, use) => use(own.url),
});
// Calls are refused while the service is down.
test.use({ expectedConsoleError: /status of 503 .*\/api\// });

test('while the service is down drivers see it, a running charge goes on and can be stopped; then it returns', async ({
  page,
  browser,
  context,
  signIn,
  address,
  own: { device },
}) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(people.driver);
  device.plug(1);
  await goToAmount(page, { station, connector: /Type 2/, method: 'balance' });
  await pressPay(page);
  await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
  const running = page.url();

  // The super role shuts the service down.
  await page.goto('about:blank');
  await context.clearCookies();
  await signIn(people.superAdmin);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, '/admin/shutdown');
  await page.getByLabel(uk('admin:message')).fill('Оновлюємо базу');
  await page.getByLabel(/Введіть SHUTDOWN/).fill('SHUTDOWN');
  await page.getByRole('button', { name: 'SHUTDOWN' }).click();
  await expect(page.getByText(uk('adminShutdown:serviceDown'))).toBeVisible(longTimeout);

  // A visitor sees the page of the maintenance with the message.
  const visitor = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': address } });
  const visitorPage = await visitor.newPage();
  await visitorPage.goto(new URL('/map', page.url()).href);
  await expect(visitorPage).toHaveURL(/\/offline$/, longTimeout);
  await expect(visitorPage.getByText('Оновлюємо базу')).toBeVisible(longTimeout);

  // The charge of the driver goes on: its energy grows, and it is stopped as usual.
  await page.goto('about:blank');
  await context.clearCookies();
  await signIn(people.driver);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(running);
  await expect(page.getByText(/0,0[1-9]|0,[1-9]|[1-9],\d/).first()).toBeVisible(longTimeout);
  await page.getByRole('button', { name: uk('status:finish') }).click(longTimeout);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/i })
    .click();
  await expect(page.getByRole('heading', { name: uk('status:finished') })).toBeVisible(longTimeout);

  // The service returns, and the visitor's page with it.
  await page.goto('about:blank');
  await context.clearCookies();
  await signIn(people.superAdmin);
  await open(page, '/admin/shutdown');
  await page.getByRole('button', { name: uk('adminShutdown:turnOn') }).click(longTimeout);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('generic:yes') })
    .click();
  await expect(page.getByText(uk('adminShutdown:serviceUp'))).toBeVisible(longTimeout);
  await visitorPage.goto(new URL('/map', page.url()).href);
  await expect(visitorPage).toHaveURL(/\/map$/, longTimeout);
  await visitor.close();
});
