import type { Page } from '@playwright/test';
import { charger } from '../support/charger.ts';
import { newDriver } from '../support/driver.ts';
import { goToAmount, goToAmountAsGuest, goToBank, pressPay } from '../support/pay.ts';
import { expect, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** The machine may be slow. */
const longTimeout = { timeout: 60_000 };
test.setTimeout(120_000);
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const uk = texts('uk');
const ownCard = (page: Page) => page.getByRole('listitem').filter({ has: page.getByText(uk('payment:ownWaiting')) });

test('a driver who left the bank’s page finds the own payment at the station, with pay and cancel, and may take another connector [STN-23]', async ({
  page,
  signIn,
  site,
  address,
}) => {
  const station = 'F1005';
  await signIn(await newDriver({ site, address }));
  await charger.plug(station);
  await goToAmount(page, { station, connector: /CCS2/, method: 'card' });
  await goToBank(page);

  await page.goto(`/station/${station}`);
  await expect(ownCard(page)).toBeVisible(longTimeout);
  await expect(ownCard(page).getByRole('timer')).toHaveText(/^ще 1[45]:\d\d$/);
  await expect(ownCard(page).getByText('Зайнятий')).toHaveCount(0);
  await page.getByText(uk('station:all')).click();
  await expect(ownCard(page)).toBeVisible();
  await page.getByText(uk('station:available')).click();

  // Pay leads to the same page of the bank.
  await page.getByRole('link', { name: uk('payment:pay') }).click();
  await expect(page.getByTestId('bank-pay')).toBeVisible(longTimeout);
  await page.goto(`/station/${station}`);
  await expect(ownCard(page)).toBeVisible(longTimeout);

  // No keeps it, yes withdraws it and goes on with the other connector.
  const other = page.getByRole('listitem').getByRole('button', { name: /№/ }).first();
  await other.click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(/Скасувати оплату №\s1 і взяти цей\?/);
  await question.getByRole('button', { name: uk('payment:ownReplaceNo') }).click();
  await expect(ownCard(page)).toBeVisible();
  await other.click();
  await question.getByRole('button', { name: uk('payment:ownReplaceYes') }).click();
  await expect(page.getByText(uk('payment:plugIn'))).toBeVisible(longTimeout);
  await page.goBack();
  await expect(ownCard(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /CCS2/ }).first()).toBeVisible(longTimeout);
  await charger.unplug(station);
});

test('a guest with an unpaid payment has both buttons on the status page [STN-23]', async ({ page }) => {
  const station = 'F1006';
  await charger.plug(station);
  await goToAmountAsGuest(page, station);
  await goToBank(page);
  await page.goto(`/station/${station}`);
  await expect(page).toHaveURL(/\/status\/\d+$/, longTimeout);
  await expect(page.getByRole('link', { name: uk('status:backToPayment') })).toBeVisible();
  await page.getByRole('button', { name: uk('status:cancel') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('status:cancel') })
    .click();
  await expect(page.getByRole('heading', { name: uk('status:canceled') })).toBeVisible(longTimeout);
  await charger.unplug(station);
});

test('a payment that is pressed without a network waits with a cancel, and is sent when the network is back [PAY-36]', async ({
  page,
  context,
  signIn,
}) => {
  const station = 'F1007';
  await signIn(people.driver);
  await charger.plug(station);
  await goToAmount(page, { station, connector: /CCS2/, method: 'balance' });
  await page.getByRole('textbox').fill('2');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/payment/new') && sent.push(request.url()));

  await context.setOffline(true);
  await pressPay(page);
  await expect(page.getByText(uk('payment:unsent'))).toBeVisible();
  await expect(page.getByText(/якщо мережа з’явиться за 5\d\sс/)).toBeVisible();
  await page.getByRole('button', { name: uk('payment:withdraw') }).click();
  await expect(page.getByText(uk('payment:notSent'))).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('button', { name: uk('payment:pay') })).toBeEnabled();
  expect(sent).toEqual([]);

  await context.setOffline(true);
  await pressPay(page);
  await expect(page.getByText(uk('payment:unsent'))).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/status\/\d+$/, longTimeout);
  expect(sent).toHaveLength(1);
  await charger.unplug(station);
});
