import { charger } from '../support/charger.ts';
import { noMessages, openStatus, serveOperation } from '../support/driver-screens.ts';
import { goToAmountAsGuest, payAtBank } from '../support/pay.ts';
import { expect, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** Simulated time runs fast, but the machine may be slow. */
const longTimeout = { timeout: 60_000 };
/** The server shows a station as away after three pings without an answer: half a minute with the setting of `stack.ts`. */
const offlineTimeout = { timeout: 180_000 };
const uk = texts('uk');

// One test has an operation that the server does not know.
test.use({ expectedConsoleError: noMessages });

test('a charge whose station loses its connection shows that, and continues after the reconnect', async ({ page }) => {
  test.setTimeout(480_000);
  // A station of this test only, because others would find it offline.
  const station = 'F1013';
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await charger.plug(station);
  await goToAmountAsGuest(page, station);
  await payAtBank(page);
  await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
  const away = page.getByRole('status').filter({ hasText: uk('status:silentTitle') });
  await expect(away).toHaveCount(0);

  await charger.setScenario(station, 'offline');
  await expect(away).toBeVisible(offlineTimeout);
  await expect(page.getByText(uk('status:stationAwayText'))).toBeVisible();
  // The phone itself is online, so the data is not shown as old.
  await expect(page.getByText(uk('status:lost'), { exact: true })).toHaveCount(0);

  await charger.setScenario(station, 'normal');
  await expect(away).toHaveCount(0, longTimeout);
  await expect(page.getByRole('heading', { name: uk('status:finished') })).toBeVisible(longTimeout);
  await charger.unplug(station);
});

test('the stop popup leaves the page where it was, and its answer is brought into view', async ({ page, signIn }) => {
  await signIn(people.driver);
  await page.setViewportSize({ width: 390, height: 844 });
  const silent = { is_online: false, stop_requested: false };
  await openStatus(page, silent);
  const scrolled = () => page.evaluate<number>('Math.round(scrollY)');
  const dialog = page.getByRole('dialog', { name: uk('status:silentTitle') });
  // As a finger does: Playwright's own click may scroll first.
  const { x, y } = (await page.getByRole('button', { name: uk('status:finish') }).boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.click(x + 20, y + 20);
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  expect(await scrolled()).toBe(0);

  // The driver has looked at the end of the page; the stop is confirmed there.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  expect(await scrolled()).toBeGreaterThan(100);
  await page.route('**/api/operation/stop/480215', async (route) => {
    await serveOperation(page, { ...silent, stop_requested: true });
    await route.fulfill({ json: { status: 'ongoing' } });
  });
  await page.getByRole('button', { name: uk('status:finish') }).click();
  await dialog.getByRole('button', { name: uk('status:passStop') }).click();
  await expect(page.getByText(uk('status:stopWaits'))).toBeInViewport({ ratio: 1 });
});
