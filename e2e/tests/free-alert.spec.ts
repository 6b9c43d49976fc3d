import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { clientOf } from '../support/client.ts';
import { newDriver } from '../support/driver.ts';
import { expect, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const longTimeout = { timeout: 60_000 };
const station = 'F1017';
const uk = texts('uk');
test.setTimeout(180_000);

test('a driver asks to be notified of a busy connector, withdraws it, and marks the station', async ({
  page,
  site,
  address,
  signIn,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Another driver has a payment open here, so the connector is busy.
  const other = await clientOf(site, await newDriver({ site, address }), address);
  await charger.plug(station);
  const { connectors } = (await other.get(`/api/station/${station}`)).body;
  const payment = { amount: '10', payment_type: 'card', target: 'kwh', connector: connectors[0].id };
  await expect
    .poll(async () => (await other.mutate('POST', '/api/payment/new', payment)).status, longTimeout)
    .toBe(200);

  await signIn(await newDriver({ site, address }));
  await page.goto(`/station/${station}`);
  await page.getByText(uk('station:all')).click(longTimeout);
  const bell = page.getByRole('button', { name: uk('payment:alertOffer') }).first();
  await bell.click(longTimeout);
  const sheet = page.getByRole('dialog', { name: uk('payment:alertTitle') });
  await expect(sheet.getByText(/Перед вами 0 водіїв/)).toBeVisible(longTimeout);
  await checkAccessibility(page);
  await sheet.getByRole('button', { name: uk('payment:alertAsk') }).click();
  const mine = page.getByRole('button', { name: /^Повідомимо, коли звільниться/ });
  await expect(mine).toHaveAttribute('aria-pressed', 'true', longTimeout);
  await mine.click();
  await expect(mine).toHaveCount(0, longTimeout);

  const client = createTestClient(site, Date.now, { 'x-forwarded-for': address });
  for (const { name, value } of await page.context().cookies(site)) client.jar.set(name, value);
  await client.mutate('POST', `/api/user/stations/${station}`, {});
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/account');
  await expect(page.getByRole('list', { name: uk('account:stations') }).getByText(station)).toBeVisible(longTimeout);
  await checkAccessibility(page);
});
