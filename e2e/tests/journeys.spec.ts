import type { Locator, Page } from '@playwright/test';
import { charger } from '../support/charger.ts';
import { expect, people, speak, test } from '../support/test.ts';
import { type languages, words } from '../support/words.ts';

/** Simulated time runs fast, the machine may not. */
const patience = { timeout: 60_000 };
test.setTimeout(180_000);
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const uk = words('uk');

/** To the amount, from the station's page: connector, payment. */
async function choose(page: Page, station: string, plug: RegExp, method: 'card' | 'balance') {
  await page.goto(`/station/${station}`);
  await page.getByRole('button', { name: plug }).first().click(patience);
  await page.getByRole('button', { name: uk(`station:${method}`) }).click(patience);
}

const pay = (page: Page) => page.getByRole('button', { name: uk('station:pay') });
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name });

async function skipFeedback(page: Page) {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('status:skip') })
    .click(patience);
}

for (const [language, station] of [
  ['uk', 'F1003'],
  ['en', 'F1010'],
  ['pl', 'F1011'],
] as const satisfies [(typeof languages)[number], string][]) {
  test(`a new driver comes from the code, becomes a guest, pays by card and charges to the limit, in ${language}`, async ({
    page,
  }) => {
    const say = words(language);
    let taps = 0;
    const tap = async (target: Locator) => {
      await target.click(patience);
      taps += 1;
    };
    await speak(page, language);
    await charger.plug(station);

    await page.goto(`/station/${station}`);
    await tap(page.getByRole('button', { name: say('auth:asGuest') }));
    await tap(page.getByRole('button', { name: /CCS2/ }).first());
    await tap(page.getByRole('button', { name: say('station:card') }));
    await tap(page.getByRole('button', { name: say('station:pay') }));
    await expect(page.getByTestId('bank-pay')).toBeVisible(patience);
    // Six would be the most.
    expect(taps).toBe(4);
    await page.getByTestId('bank-pay').click();

    await expect(page).toHaveURL(/\/status\/\d+$/, patience);
    await expect(page.getByText(say('status:ongoing'))).toBeVisible(patience);
    await expect(heading(page, say('status:finished'))).toBeVisible(patience);
    const energy = await page.getByTestId('energy').textContent();
    expect(Number.parseFloat((energy ?? '').replace(',', '.'))).toBeGreaterThan(9.8);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('status:skip') })
      .click(patience);
    await charger.unplug(station);
  });
}

test('a free connector asks for nothing but a start, and has no receipt', async ({ page, signIn }) => {
  await signIn(people.driver);
  await charger.plug('F1040');
  await page.goto('/station/F1040');
  await page
    .getByRole('button', { name: /Type 2/ })
    .first()
    .click(patience);
  await page.getByRole('button', { name: uk('station:start') }).click(patience);
  await expect(page.getByText(uk('status:ongoing'))).toBeVisible(patience);
  await page.getByRole('button', { name: uk('status:finish') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Завершити$/ })
    .click();
  await expect(heading(page, uk('status:finished'))).toBeVisible(patience);
  await skipFeedback(page);
  await expect(page.getByRole('button', { name: uk('status:receipt') })).toHaveCount(0);
  await charger.unplug('F1040');
});

test('a balance that is too small is met by the way to a top-up, which ends at the station, paid [BAL-08]', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await charger.plug('F1024');
  await choose(page, 'F1024', /CCS2/, 'balance');
  await page.getByRole('textbox').fill('500');
  await expect(page.getByRole('alert')).toHaveText('Недостатньо коштів на балансі');
  await page.getByRole('link', { name: uk('station:topUp') }).click();
  await expect(page).toHaveURL(/\/balance$/);
  await page
    .getByRole('main')
    .getByRole('button', { name: uk('balance:topUp') })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('balance:pay') })
    .click();
  await page.getByTestId('bank-pay').click(patience);
  await expect(page).toHaveURL(/\/station\/F1024/, patience);
  await expect(page.getByText(uk('station:toppedUp'))).toBeVisible(patience);
  // Told once: a reload has nothing to tell.
  await expect(page).toHaveURL(/\/station\/F1024$/);
  await charger.unplug('F1024');
});

test('a card the bank declines is told so, and the next try begins at the station', async ({ page, signIn }) => {
  await signIn(people.driver);
  await charger.plug('F1034');
  await choose(page, 'F1034', /CCS2/, 'card');
  await pay(page).click();
  await page.getByTestId('bank-decline').click(patience);
  await expect(heading(page, uk('status:failedHold'))).toBeVisible(patience);
  await page.getByRole('link', { name: uk('status:retry') }).click();
  await expect(page).toHaveURL(/\/station\/F1034$/);
  await charger.unplug('F1034');
});

test('a charger that rejects the start costs nothing, and the driver is asked what happened', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await charger.behave('F1041', 'rejects-start');
  await charger.plug('F1041');
  await choose(page, 'F1041', /CCS2/, 'balance');
  await page.getByRole('textbox').fill('2');
  await pay(page).click();
  await expect(page.getByRole('dialog', { name: uk('status:whatHappened') })).toBeVisible(patience);
  await skipFeedback(page);
  await expect(heading(page, uk('status:failed'))).toBeVisible();
  await expect(page.getByRole('link', { name: uk('status:retry') })).toBeVisible();
  await charger.behave('F1041', 'normal');
  await charger.unplug('F1041');
});

test('a station whose line breaks while it charges goes on by itself when the line is back', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await charger.plug('F1407');
  await choose(page, 'F1407', /Type 2/, 'card');
  await pay(page).click();
  await page.getByTestId('bank-pay').click(patience);
  await expect(page.getByText(uk('status:ongoing'))).toBeVisible(patience);
  const energy = async () =>
    Number.parseFloat(((await page.getByTestId('energy').textContent()) ?? '').replace(',', '.'));
  await expect.poll(energy, patience).toBeGreaterThan(0);

  await charger.behave('F1407', 'offline');
  await expect.poll(() => charger.isConnected('F1407'), patience).toBe(false);
  const before = await energy();
  await charger.behave('F1407', 'normal');
  await expect.poll(energy, patience).toBeGreaterThan(before);
  await expect(page.getByText(uk('status:ongoing'))).toBeVisible();

  await page.getByRole('button', { name: uk('status:finish') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Завершити$/ })
    .click();
  await expect(heading(page, uk('status:finished'))).toBeVisible(patience);
  await charger.unplug('F1407');
});

test('who comes back from the bank unpaid finds the amount, replaces it, resumes it, and cancels [PAY-29] [PAY-30]', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await charger.plug('F1405');
  await choose(page, 'F1405', /CCS2/, 'card');
  await page.getByRole('button', { name: '25', exact: true }).click();
  await pay(page).click();
  const bankPay = page.getByTestId('bank-pay');
  await expect(bankPay).toBeVisible(patience);
  const asked = await bankPay.textContent();

  await page.goBack();
  await expect(page.getByRole('textbox')).toHaveValue('25', patience);
  await page.getByRole('button', { name: '50', exact: true }).click();
  await pay(page).click();
  await expect(bankPay).toBeVisible(patience);
  await expect(bankPay).not.toHaveText(asked ?? '');
  const replaced = await bankPay.textContent();

  await page.goto('/active');
  await page.getByRole('link', { name: /F1405/ }).first().click(patience);
  await page.getByRole('link', { name: uk('status:backToPayment') }).click(patience);
  await expect(bankPay).toHaveText(replaced ?? '', patience);
  await page.goBack();
  await page.getByRole('button', { name: uk('status:cancel') }).click(patience);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Скасувати$/ })
    .click();
  await expect(heading(page, uk('status:canceled'))).toBeVisible(patience);
  await charger.unplug('F1405');
});
