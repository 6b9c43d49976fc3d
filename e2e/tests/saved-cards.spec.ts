import type { Locator } from '@playwright/test';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { newDriver } from '../support/driver.ts';
import { goToAmount, payAtBank } from '../support/pay.ts';
import { expect, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const longTimeout = { timeout: 60_000 };
const station = 'F1015';
const uk = texts('uk');
test.setTimeout(240_000);

test('a card saved at a payment pays the next charge in three taps, and is removed on the balance page', async ({
  page,
  site,
  address,
  signIn,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(await newDriver({ site, address }));
  let taps = 0;
  const tap = async (target: Locator) => {
    await target.click(longTimeout);
    taps += 1;
  };
  const connector = page.getByRole('button', { name: /CCS2/ }).first();
  const pay = page.getByRole('button', { name: uk('payment:pay') });
  const savedCard = page.getByRole('list', { name: uk('payment:savedCards') }).getByRole('button', { name: /Visa/ });

  async function endCharge() {
    await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
    await page.getByRole('button', { name: uk('status:finish') }).click(longTimeout);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Зупинити$/ })
      .click(longTimeout);
    await expect(page.getByRole('heading', { name: uk('status:finished') })).toBeVisible(longTimeout);
    await charger.unplug(station);
  }

  // The first payment: the box is empty until the driver ticks it.
  await charger.plug(station);
  await goToAmount(page, { station, connector: /CCS2/, method: 'card' });
  const consent = page.getByRole('checkbox', { name: uk('payment:saveCard') });
  await expect(consent).not.toBeChecked();
  // The terms above the button are visible without scrolling.
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0);
  await consent.check();
  await payAtBank(page);
  await endCharge();

  await charger.plug(station);
  await page.goto(`/station/${station}`);
  await tap(connector);
  await expect(savedCard).toBeVisible(longTimeout);
  await checkAccessibility(page);
  await tap(savedCard);
  await expect(page.getByText(uk('payment:savedCardReturns'))).toBeVisible(longTimeout);
  await tap(pay);
  await expect(page).toHaveURL(/\/status\/\d+$/, longTimeout);
  await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
  expect(taps).toBe(3);
  await endCharge();

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/balance');
  const remove = page.getByRole('button', { name: /Видалити Visa \*4242/ });
  await expect(remove).toBeVisible(longTimeout);
  await checkAccessibility(page);
  await remove.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('balance:removeCardYes') })
    .click();
  await expect(remove).toHaveCount(0, longTimeout);
});

test('a card is added on the balance page and pays the next top-up; the bank may ask for a confirmation or decline', async ({
  page,
  site,
  address,
  signIn,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(await newDriver({ site, address }));
  await page.goto('/balance');
  const sheet = page.getByRole('dialog');
  await page.getByRole('button', { name: uk('balance:addCard') }).click(longTimeout);
  await expect(sheet.getByText(uk('balance:addCardText'))).toBeVisible(longTimeout);
  await checkAccessibility(page);
  await sheet.getByRole('button', { name: uk('balance:pay') }).click();
  await page.getByTestId('bank-pay').click(longTimeout);
  await expect(page.getByText(uk('balance:toppedUp'))).toBeVisible(longTimeout);
  await expect(page.getByTestId('balance')).toContainText('10,00', longTimeout);
  await expect(page.getByRole('button', { name: /Видалити Visa \*4242/ })).toBeVisible(longTimeout);

  // The saved card is chosen, and no page of the bank is opened.
  await page.getByRole('button', { name: uk('balance:topUp') }).click();
  await expect(sheet.getByRole('radio', { name: /Visa \*4242/ })).toBeChecked(longTimeout);
  await checkAccessibility(page);
  await page.setViewportSize({ width: 320, height: 568 });
  await checkAccessibility(page);
  await sheet.getByRole('button', { name: uk('balance:pay') }).click();
  await expect(page.getByText(uk('balance:toppedUp'))).toBeVisible(longTimeout);
  await expect(page.getByTestId('balance')).toContainText('110,00', longTimeout);
});
