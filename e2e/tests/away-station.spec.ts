import { charger } from '../support/charger.ts';
import { goToAmountAsGuest, payAtBank } from '../support/pay.ts';
import { expect, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** Simulated time runs fast, but the machine may be slow. */
const longTimeout = { timeout: 60_000 };
/** The server shows a station as away after three pings without an answer: half a minute with the setting of `stack.ts`. */
const offlineTimeout = { timeout: 180_000 };
const uk = texts('uk');

test('a charge whose station loses its connection shows that, and continues after the reconnect', async ({ page }) => {
  test.setTimeout(480_000);
  // A station of this test only, because others would find it offline.
  const station = 'F1013';
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await charger.plug(station);
  await goToAmountAsGuest(page, station);
  await payAtBank(page);
  await expect(page.getByText(uk('status:ongoing'))).toBeVisible(longTimeout);
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
