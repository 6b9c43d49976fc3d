import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { drawnByUs } from '../../apps/server/src/receipts/testing/pdf-image.ts';
import { createSimulatedChargePoint } from '../../apps/simulator/src/charge-point.ts';
import { createClock } from '../../apps/simulator/src/clock.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { shownValue } from '../support/secrets.ts';
import { type Product, startProduct } from '../support/stack.ts';
import { test as base, expect, open, people, setLanguage } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const uk = texts('uk');
const longTimeout = { timeout: 60_000 };

interface EmptyNetwork extends Product {
  dataDir: string;
}

/** A product with accounts and without a single station. */
const test = base.extend<object, { empty: EmptyNetwork }>({
  empty: [
    // biome-ignore lint/correctness/noEmptyPattern: the way to say that it needs nothing.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'fpay-e2e-empty-'));
      const product = await startProduct({ DATA_DIR: dataDir, DEMO_NETWORK: 'none' });
      await use({ ...product, dataDir });
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ empty }, use) => use(empty.url),
});
test.describe.configure({ mode: 'serial', timeout: 300_000 });
const identity = 'CP-NEW';

/** Registers the device and returns the password, which is shown this once. */
async function registerDevice(page: Page): Promise<string> {
  await open(page, '/admin/network/charge-points');
  await page.getByRole('button', { name: 'Зареєструвати' }).first().click();
  const form = page.getByRole('dialog', { name: 'Новий зарядний пристрій' });
  await form.getByLabel('Ідентифікатор').fill(identity);
  await form.getByRole('button', { name: 'Зареєструвати' }).click();
  const shown = page.getByRole('dialog', { name: 'Дані для під’єднання' });
  const password = await shownValue(shown, 2);
  await shown.getByRole('button', { name: 'Записано' }).click();
  return password;
}

/** A picture of the screen at this size, where a folder is given for it. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), fullPage: true });
}

/** The address in the code of a printed page. */
function printedLink(pdf: Buffer): string {
  const { width, height, ink } = drawnByUs(pdf);
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [pixel, darkness] of ink.entries()) data.fill(255 * (1 - darkness), 4 * pixel, 4 * pixel + 3);
  return decodeQR({ width, height, data });
}

test('staff build a network by clicking, print its code, and a driver charges by it [QR-08]', async ({
  page,
  signIn,
  empty,
  browser,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(people.superAdmin);
  const password = await registerDevice(page);

  await open(page, '/admin/network/tariffs');
  await page.getByRole('link', { name: 'Новий тариф' }).click();
  await page.getByLabel('Назва тарифу').fill('Денний DC');
  await page.getByText('За годинами').click();
  await page.getByLabel('Ціна, ₴', { exact: true }).fill('12,50');
  await page.getByRole('button', { name: /^Застосувати до/ }).click();
  await expect(page.getByText('Найдешевше')).toBeVisible(longTimeout);
  await picture(page, 'tariff-1440');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page).toHaveURL(/\/admin\/network\/tariffs\/\d+$/, longTimeout);
  await expect(page.getByText('Історія цін')).toBeVisible(longTimeout);

  await open(page, '/admin/network/stations');
  await page.getByRole('link', { name: 'Нова станція' }).click();
  await expect(page.getByLabel('Номер', { exact: true })).toHaveValue('F1000', longTimeout);
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page.getByText('Вкажіть адресу, до 200 символів').first()).toBeVisible();
  await page.getByLabel('Адреса українською').fill('просп. Слобожанський, 31Д, Дніпро');
  await page.getByLabel('Адреса латиницею').fill('31D Slobozhanskyi Ave, Dnipro');
  await page.getByLabel('Нотатка для водіїв').fill('За шлагбаумом ліворуч');
  const map = page.getByRole('application');
  await expect(map.locator('canvas').first()).toBeVisible(longTimeout);
  await map.click({ position: { x: 120, y: 150 } });
  await expect(page.getByLabel('Широта')).not.toHaveValue('48.4647');
  await page.getByLabel('Пристрій').fill(identity);
  await page.getByLabel('Тариф').selectOption('Денний DC');
  await picture(page, 'station-new-1440');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page).toHaveURL(/\/admin\/network\/stations\/F1000$/, longTimeout);

  const photo = { name: 'place.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.getByLabel('Додати фото').setInputFiles(photo, longTimeout);
  await expect(page.getByRole('img', { name: 'Фото 1' })).toBeVisible(longTimeout);
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Друк A6, A4' }).click(longTimeout);
  await page.getByRole('button', { name: 'Підготувати' }).click();
  const sheet = page.getByRole('link', { name: 'Відкрити PDF' });
  const printed = await page.request.get((await sheet.getAttribute('href', longTimeout)) ?? '');
  const link = printedLink(await printed.body());
  expect(new URL(link).pathname).toBe('/qr/f1000');
  await page.keyboard.press('Escape');
  await expect(page.getByText('/qr/f1000')).toBeVisible(longTimeout);
  await picture(page, 'station-1440');

  const device = createSimulatedChargePoint({
    url: `${empty.url.replace('http', 'ws')}/ocpp`,
    identity,
    password,
    connectors: [{ id: 1, type: 'ccstype2', powerW: 60_000 }],
    clock: createClock({ speed: 20 }),
  });
  device.start();
  try {
    await open(page, '/admin/network/charge-points');
    await page.getByRole('link', { name: new RegExp(identity) }).click(longTimeout);
    await expect(page.getByText('На зв’язку', { exact: true })).toBeVisible(longTimeout);
    await open(page, '/station/F1000');
    const shown = page.getByRole('button', { name: 'Фото 1 з 1' }).locator('img');
    const width = () => shown.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width, longTimeout).toBe(480);
    device.plug(1);
    const phone = await browser.newContext({ baseURL: empty.url, viewport: { width: 390, height: 844 }, locale: 'uk' });
    const driver = await phone.newPage();
    await driver.goto(link);
    await driver.getByRole('button', { name: uk('auth:chargeAsGuest') }).click(longTimeout);
    const amount = driver.getByRole('textbox', { name: 'Сума' });
    await amount.fill('2', longTimeout);
    await driver.getByRole('button', { name: /Сплатити/i }).click();
    await driver.getByTestId('bank-pay').click(longTimeout);
    await expect(driver).toHaveURL(/\/status\/\d+/, longTimeout);
    await expect(driver.getByRole('heading', { name: 'Зарядку завершено' })).toBeVisible({ timeout: 120_000 });
    await phone.close();
  } finally {
    device.stop();
  }
});

test('the screens of the network fit a phone in three languages, and axe finds nothing', async ({ page, signIn }) => {
  await signIn(people.superAdmin);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const screens = ['stations', 'stations/F1000', 'tariffs', 'promotions', 'parties', 'rfid', 'import'];
  for (const [language, width] of [
    ['uk', 390],
    ['pl', 320],
    ['en', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await setLanguage(page, language);
    for (const screen of screens) {
      await open(page, `/admin/network/${screen}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible(longTimeout);
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, longTimeout);
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([language, screen, await page.evaluate(overflow)]).toEqual([language, screen, 0]);
      await picture(page, `${screen.replace('/', '-')}-${language}-${width}`);
      if (language === 'uk') await checkAccessibility(page);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/admin/network/stations/F1000');
  await expect(page.locator('canvas').first()).toBeVisible(longTimeout);
  await picture(page, 'station-dark-1440');
  await open(page, '/admin/network/stations');
  await expect(page.getByText('F1000')).toBeVisible(longTimeout);
  await picture(page, 'stations-dark-1440');
});
