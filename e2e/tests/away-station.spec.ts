import { charger } from '../support/charger.ts';
import { expect, test } from '../support/test.ts';
import { words } from '../support/words.ts';

/** Simulated time runs fast, the machine may not. */
const patience = { timeout: 60_000 };
/** Most that are cut off are back within seconds: only after a minute of silence the server calls a station away. */
const longPatience = { timeout: 180_000 };
const uk = words('uk');

test('a charge whose station loses its line says so while it lasts, and goes on when the line is back', async ({
  page,
}) => {
  test.setTimeout(480_000);
  // Of its own: whoever else looks at it would find it away.
  const station = 'F1013';
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await charger.plug(station);
  await page.goto(`/station/${station}`);
  await page.getByRole('button', { name: uk('auth:asGuest') }).click(patience);
  await page.getByRole('button', { name: /CCS2/ }).first().click(patience);
  await page.getByRole('button', { name: uk('station:card') }).click(patience);
  await page.getByRole('button', { name: uk('station:pay') }).click(patience);
  await page.getByTestId('bank-pay').click(patience);
  await expect(page.getByText(uk('status:ongoing'))).toBeVisible(patience);
  const away = page.getByRole('status').filter({ hasText: uk('status:stationAway') });
  await expect(away).toHaveCount(0);

  await charger.behave(station, 'offline');
  await expect(away).toBeVisible(longPatience);
  await expect(page.getByText(uk('status:stationAwayText'))).toBeVisible();
  // The phone itself has a network: what is shown is not old.
  await expect(page.getByText(uk('status:lost'), { exact: true })).toHaveCount(0);

  await charger.behave(station, 'normal');
  await expect(away).toHaveCount(0, patience);
  await expect(page.getByRole('heading', { name: uk('status:finished') })).toBeVisible(patience);
  await charger.unplug(station);
});
