import type { Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { expectAnnounced } from '../support/announced.ts';
import { charger } from '../support/charger.ts';
import { clientOf } from '../support/client.ts';
import { newDriver } from '../support/driver.ts';
import { goToAmount, goToBank, pressPay } from '../support/pay.ts';
import { expect, open, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** No other test uses these stations. */
const landing = 'F1047';
const taken = 'F1035';
const charged = 'F1036';
const longTimeout = { timeout: 60_000 };
const uk = texts('uk');

// Seconds on a quiet machine.
test.setTimeout(180_000);
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const menuButton = (page: Page, name = 'Відкрити меню') => page.getByRole('button', { name });

test.describe('in a browser that reads English', () => {
  test.use({ locale: 'en-GB', expectedConsoleError: /status of 40[34] .*\/api\/station\// });

  test('a stranger opens a number in lower case, mistypes the next one, is offered a similar one, and Back from the cable returns to the connectors (D12, D13, D16, D21, D25, C8, C14)', async ({
    page,
  }) => {
    const en = texts('en');
    const unknown = 'F1947';
    const connectors = page.getByRole('listitem').getByRole('button');
    await page.goto(`/station/${landing.toLowerCase()}`);
    await expect(page.getByRole('heading', { name: landing })).toBeVisible();
    await expect(connectors.first()).toContainText('Available');
    await expect(page.getByRole('main')).not.toContainText('Free');

    await menuButton(page, 'Open the menu').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Scan QR' }).click();
    await page.getByRole('button', { name: en('qr:typeNumber') }).click();
    await page.getByRole('textbox', { name: 'Number' }).fill(unknown);
    await page.keyboard.press('Enter');
    await expectAnnounced(page, `There is no station ${unknown}`);
    const number = page.getByRole('textbox', { name: en('payment:numberLabel') });
    await expect(number).toHaveValue(unknown);
    await expect(number).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('link', { name: en('payment:scan') })).toHaveAttribute('href', '/qr');

    // A station of a closed group: what it is, and the nearest free connectors with their distance.
    await number.fill('f1301');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: en('payment:closed') })).toBeVisible();
    const nearest = page
      .getByRole('list', { name: en('payment:freeNearby') })
      .getByRole('listitem')
      .first();
    await expect(nearest).toContainText(/\d\u00a0(m|km)\d+\.\d\d\u00a0₴$/);
    const [station] = (await nearest.textContent())?.match(/F\d{4}/) ?? [];
    await expect(page.getByRole('link', { name: `Go to ${station}` })).toHaveAttribute('href', `/station/${station}`);

    await page.goBack();
    await expectAnnounced(page, `There is no station ${unknown}`);
    await page.getByRole('link', { name: landing }).click();
    await expectAnnounced(page, landing);
    await connectors.first().click();
    await page.getByRole('button', { name: en('auth:chargeAsGuest') }).click();
    const plugIn = page.getByRole('heading', { name: en('payment:plugIn') });
    await expect(plugIn).toBeVisible();
    await page.goBack();
    await expect(plugIn).toHaveCount(0);
    await expect(connectors.first()).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/station/${landing}$`));
  });
});

test('a driver signs in with a number as people write it, by keyboard, and gives up a forgotten password (D8, D16, D26, D27, C14)', async ({
  page,
}) => {
  await open(page, '/auth');
  const phone = page.locator('[type=tel]');
  const language = page.getByRole('banner').getByRole('combobox');
  await expect(page.getByRole('banner').locator('.lucide-globe')).toBeVisible();
  await language.selectOption('pl');
  await expect(phone).toHaveValue('+48');
  await language.selectOption('uk');
  await expect(phone).toHaveValue('+380');

  for (const written of ['0500000001', '380500000001', '+380500000001', '(050) 000-00-01', '8 050 000 00 01']) {
    await phone.selectText();
    await page.keyboard.insertText(written);
    await expect(phone, written).toHaveValue('+380 50 000 00 01');
  }
  // After the prefix that the field has already, pasted and typed.
  for (const written of ['0500000001', '380500000001']) {
    await phone.fill('+380');
    await page.keyboard.insertText(written);
    await expect(phone, written).toHaveValue('+380 50 000 00 01');
  }
  await phone.fill('+380');
  await phone.pressSequentially('0500000001');
  await expect(phone).toHaveValue('+380 50 000 00 01');

  const password = page.getByLabel('Пароль', { exact: true });
  const forgot = page.getByRole('button', { name: uk('auth:forgot') });
  await page.keyboard.press('Tab');
  await expect(password).toBeFocused();
  // Past the button that shows the password.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(forgot).toBeFocused();
  await page.keyboard.press('Enter');
  const popup = page.getByRole('dialog', { name: uk('auth:restoreTitle') });
  await popup.getByRole('button', { name: uk('generic:close') }).click();
  await expect(popup).toHaveCount(0);
  await password.fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await expectAnnounced(page, 'Акаунт', 'Олена Коваль');
});

test.describe('at a connector that another driver takes', () => {
  test.use({ expectedConsoleError: /status of 409 .*\/api\/payment\/new$/ });

  test('the payment says so, costs nothing, and offers the nearest free ones and another one here (D13, D18)', async ({
    page,
    site,
    address,
    signIn,
  }) => {
    await charger.plug(taken);
    await signIn(await newDriver({ site, address }));
    await goToAmount(page, { station: taken, connector: /CCS2/, method: 'card' });

    const other = await clientOf(site, await newDriver({ site, address }), address);
    const { connectors } = (await other.get(`/api/station/${taken}`)).body;
    const { id: connector } = connectors.find(({ type }: { type: string }) => type === 'ccstype2');
    const payment = { amount: '10', payment_type: 'card', target: 'kwh', connector };
    expect((await other.mutate('POST', '/api/payment/new', payment)).status).toBe(200);

    await pressPay(page);
    const alert = page.getByRole('alert');
    await expect(alert.getByRole('heading', { name: 'CCS2 № 1 щойно зайняли' })).toBeFocused();
    await expect(alert).toContainText('Гроші не списано.');
    await expect(page.getByRole('button', { name: uk('payment:pay') })).toHaveCount(0);
    const free = page.getByRole('list', { name: 'Вільні CCS2 поруч' }).getByRole('listitem');
    await expect(free.first()).toContainText(/F\d{4} · CCS2 №\s\d.*\d\u00a0(м|км)\d+,\d\d\u00a0₴$/);
    const [station] = (await free.first().textContent())?.match(/F\d{4}/) ?? [];
    await expect(page.getByRole('link', { name: `Перейти на ${station}` })).toHaveAttribute(
      'href',
      `/station/${station}`,
    );

    await page.getByRole('button', { name: `Інший роз’єм на ${taken}` }).click();
    await page.getByRole('button', { name: /CHAdeMO/ }).click();
    const plugIn = page.getByRole('heading', { name: uk('payment:plugIn') });
    await expect(plugIn).toBeVisible();
    await page.goBack();
    await expect(plugIn).toHaveCount(0);
    await expect(page.getByRole('button', { name: /CHAdeMO/ })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/station/${taken}$`));
    await charger.unplug(taken);
  });
});

test('a charge shows the car, the time left and each figure once, has ways off its page, and is rated once by a double tap (D14, D15, C4, C6)', async ({
  page,
  site,
  address,
  signIn,
}) => {
  const ratings: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/feedback')) ratings.push(request.method());
  });
  await charger.plug(charged);
  await signIn(await newDriver({ site, address }));
  await goToAmount(page, { station: charged, connector: /CCS2/, method: 'card' });
  await page.getByRole('button', { name: '50', exact: true }).click();
  const bankPay = await goToBank(page);
  await expect(page.getByText(`Зарядка, станція ${charged}, CCS2`, { exact: true }).first()).toBeVisible();
  await bankPay.click();

  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: uk('status:ongoing') })).toBeVisible(longTimeout);
  await expect(main.getByRole('img', { name: /^Авто заряджено на [2-9]\d\s%$/ })).toBeVisible(longTimeout);
  await expect(main.getByText(/^ще ≈ \d+\s(хв|год)$/)).toBeVisible(longTimeout);
  const facts = main.getByLabel(uk('status:info'));
  for (const fact of [
    /^Швидкість\d+,?\d*\u00a0кВт/,
    /^Ціна15,00\s₴\/кВт·год$/,
    /^Минуло\d+\sхв$/,
    /^Депозит750\u00a0₴$/,
  ])
    await expect(facts.locator(':scope > *').filter({ hasText: fact })).toHaveCount(1);
  await expect(async () => {
    const shown = await main.innerText();
    const [, energy] = /([\d,]+)\s+кВт·год/.exec(shown) ?? [];
    const [, money] = /([\d\u00a0]+,\d\d)\u00a0₴(?!\/)/.exec(shown) ?? [];
    expect([energy, money]).not.toContain('0,00');
    expect([shown.split(`${energy} `).length, shown.split(`${money}\u00a0₴`).length]).toEqual([2, 2]);
  }).toPass(longTimeout);

  await menuButton(page).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Мапа' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await main.getByRole('link', { name: 'Усі сесії 1' }).click();
  await expect(page).toHaveURL(/\/active$/);
  await main.getByRole('link', { name: new RegExp(charged) }).click();
  await main.getByRole('button', { name: uk('status:finish') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/ })
    .click();

  const rate = page.getByRole('dialog', { name: uk('status:howWasIt') }).getByRole('button', { name: 'Далі' });
  await expect(rate).toBeVisible(longTimeout);
  // Both presses come before the page can show the first.
  await rate.evaluate((button: { click(): void }) => {
    button.click();
    button.click();
  });
  await expect(main.getByRole('img', { name: 'Оцінка 4 з 5' })).toBeVisible(longTimeout);
  expect(ratings).toEqual(['POST']);
  await charger.unplug(charged);
});
