import type { languages } from '@fpay/contract/languages';
import type { Locator, Page } from '@playwright/test';
import { charger } from '../support/charger.ts';
import { newDriver } from '../support/driver.ts';
import { goToAmount, goToBank, payAtBank, pressPay } from '../support/pay.ts';
import { expect, people, setLanguage, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/**
 * A user has one unpaid operation at a time, so a test that pays by card signs in as a driver of its own: another test of the
 * same driver would withdraw its payment.
 */

/** Simulated time runs fast, but the machine may be slow. */
const longTimeout = { timeout: 60_000 };
test.setTimeout(180_000);
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const uk = texts('uk');

const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name });

/** A failure has a sign of its own, because colour alone does not tell it apart (C20). */
const expectSign = (page: Page, name: 'ban' | 'unplug' | 'credit-card') =>
  expect(page.locator('main section:has(h1) svg')).toHaveClass(new RegExp(`lucide-${name}\\b`));

async function skipFeedback(page: Page) {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('status:skip') })
    .click(longTimeout);
}

for (const [language, station] of [
  ['uk', 'F1003'],
  ['en', 'F1010'],
  ['pl', 'F1011'],
] as const satisfies [(typeof languages)[number], string][]) {
  test(`a new driver opens the scanned code, continues as guest, pays by card and charges to the limit, in ${language}`, async ({
    page,
  }) => {
    const say = texts(language);
    let taps = 0;
    const tap = async (target: Locator) => {
      await target.click(longTimeout);
      taps += 1;
    };
    await setLanguage(page, language);
    await charger.plug(station);

    await page.goto(`/station/${station}`);
    // The station comes first; its plugged-in connector is chosen already, and a guest pays by card.
    await expect(page.getByRole('heading', { name: station })).toBeVisible(longTimeout);
    await tap(page.getByRole('button', { name: say('auth:chargeAsGuest') }));
    await tap(page.getByRole('button', { name: say('payment:pay') }));
    await expect(page.getByTestId('bank-pay')).toBeVisible(longTimeout);
    // The limit is four.
    expect(taps).toBe(2);
    await page.getByTestId('bank-pay').click();

    await expect(page).toHaveURL(/\/status\/\d+$/, longTimeout);
    await expect(page.getByRole('heading', { name: say('status:ongoing') })).toBeVisible(longTimeout);
    await expect(heading(page, say('status:finished'))).toBeVisible(longTimeout);
    const energy = await page.getByTestId('energy').textContent();
    expect(Number.parseFloat((energy ?? '').replace(',', '.'))).toBeGreaterThan(9.8);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('status:skip') })
      .click(longTimeout);
    await charger.unplug(station);
  });
}

test('a free connector needs only a start, and has no receipt', async ({ page, signIn }) => {
  await signIn(people.driver);
  await charger.plug('F1040');
  await page.goto('/station/F1040');
  await page
    .getByRole('button', { name: /Type 2/ })
    .first()
    .click(longTimeout);
  await page.getByRole('button', { name: uk('payment:start') }).click(longTimeout);
  await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
  await page.getByRole('button', { name: uk('status:finish') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/ })
    .click();
  await expect(heading(page, uk('status:finished'))).toBeVisible(longTimeout);
  await skipFeedback(page);
  await expect(page.getByRole('button', { name: uk('status:receipt') })).toHaveCount(0);
  await charger.unplug('F1040');
});

test('a balance that is too small leads to a top-up, which returns to the paid charge [BAL-08]', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await charger.plug('F1024');
  await goToAmount(page, { station: 'F1024', connector: /CCS2/, method: 'balance' });
  await page.getByRole('textbox').fill('500');
  await expect(page.getByRole('alert')).toHaveText('Недостатньо коштів на балансі');
  await page.getByRole('link', { name: uk('payment:topUp') }).click();
  await expect(page).toHaveURL(/\/balance$/);
  // The form is open, with the missing sum.
  await expect(page.getByRole('dialog')).toContainText('Не вистачає');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('balance:pay') })
    .click();
  await page.getByTestId('bank-pay').click(longTimeout);
  await expect(page).toHaveURL(/\/station\/F1024/, longTimeout);
  await expect(page.getByText(uk('payment:toppedUp'))).toBeVisible(longTimeout);
  // The result is shown once, so a reload shows nothing.
  await expect(page).toHaveURL(/\/station\/F1024$/);
  await expect(page.getByRole('textbox')).toHaveValue('500');
  await charger.unplug('F1024');
});

test('a declined card is reported, and the next attempt begins at the station (C20)', async ({
  page,
  signIn,
  site,
  address,
}) => {
  await signIn(await newDriver({ site, address }));
  await charger.plug('F1034');
  await goToAmount(page, { station: 'F1034', connector: /CCS2/, method: 'card' });
  await pressPay(page);
  await page.getByTestId('bank-decline').click(longTimeout);
  await expect(heading(page, uk('status:declined'))).toBeVisible(longTimeout);
  // The bank's reason in plain words.
  await expect(page.getByRole('main')).toContainText('недостатньо коштів');
  await expectSign(page, 'credit-card');
  await page.getByRole('link', { name: uk('status:otherCard') }).click();
  await expect(page).toHaveURL(/\/station\/F1034$/);
  await charger.unplug('F1034');
});

test('a charger that rejects the start costs nothing, and the driver is asked what happened (C20)', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await charger.setScenario('F1041', 'rejects-start');
  await charger.plug('F1041');
  await goToAmount(page, { station: 'F1041', connector: /CCS2/, method: 'balance' });
  await page.getByRole('textbox').fill('2');
  await pressPay(page);
  await expect(page.getByRole('dialog', { name: uk('status:whatHappened') })).toBeVisible(longTimeout);
  await skipFeedback(page);
  await expect(heading(page, uk('status:failed'))).toBeVisible();
  await expectSign(page, 'unplug');
  await expect(page.getByRole('link', { name: uk('status:retry') })).toBeVisible();
  await charger.setScenario('F1041', 'normal');
  await charger.unplug('F1041');
});

test('a charge continues by itself after the station lost and restored its connection', async ({
  page,
  signIn,
  site,
  address,
}) => {
  await signIn(await newDriver({ site, address }));
  await charger.plug('F1004');
  await goToAmount(page, { station: 'F1004', connector: /Type 2/, method: 'card' });
  await payAtBank(page);
  await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
  const energy = async () =>
    Number.parseFloat(((await page.getByTestId('energy').textContent()) ?? '').replace(',', '.'));
  await expect.poll(energy, longTimeout).toBeGreaterThan(0);

  await charger.setScenario('F1004', 'offline');
  await expect.poll(() => charger.isConnected('F1004'), longTimeout).toBe(false);
  const before = await energy();
  await charger.setScenario('F1004', 'normal');
  await expect.poll(energy, longTimeout).toBeGreaterThan(before);
  await expect(page.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible();

  await page.getByRole('button', { name: uk('status:finish') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/ })
    .click();
  await expect(heading(page, uk('status:finished'))).toBeVisible(longTimeout);
  await charger.unplug('F1004');
});

test('a driver who returns from the bank unpaid finds the amount, replaces it, resumes it, and cancels [PAY-29] [PAY-30] (C20)', async ({
  page,
  signIn,
  site,
  address,
}) => {
  await signIn(await newDriver({ site, address }));
  await charger.plug('F1064');
  await goToAmount(page, { station: 'F1064', connector: /CCS2/, method: 'card' });
  await page.getByRole('button', { name: '25', exact: true }).click();
  const bankPay = await goToBank(page);
  const asked = await bankPay.textContent();

  await page.goBack();
  await expect(page.getByRole('textbox')).toHaveValue('25', longTimeout);
  await page.getByRole('button', { name: '50', exact: true }).click();
  await goToBank(page);
  await expect(bankPay).not.toHaveText(asked ?? '');
  const replaced = await bankPay.textContent();

  await page.goto('/active');
  await page.getByRole('link', { name: /F1064/ }).first().click(longTimeout);
  await page.getByRole('link', { name: uk('status:backToPayment') }).click(longTimeout);
  await expect(bankPay).toHaveText(replaced ?? '', longTimeout);
  await page.goBack();
  await page.getByRole('button', { name: uk('status:cancel') }).click(longTimeout);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Скасувати$/ })
    .click();
  await expect(heading(page, uk('status:canceled'))).toBeVisible(longTimeout);
  await expectSign(page, 'ban');
  await charger.unplug('F1064');
});
