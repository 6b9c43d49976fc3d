import { languages } from '@fpay/contract/languages';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { giveMoney } from '../support/client.ts';
import { newDriver } from '../support/driver.ts';
import { noMessages, openStation, openStatus, steps } from '../support/driver-screens.ts';
import { goToAmount, pressPay } from '../support/pay.ts';
import { expect, people, setLanguage, test } from '../support/test.ts';

// One test takes the network away, and the page may be loading its later parts at that moment.
test.use({ expectedConsoleError: /net::ERR_INTERNET_DISCONNECTED/ });

test('a driver scans the code, pays from the balance, sees the energy, stops, and downloads the receipt', async ({
  page,
  context,
  signIn,
  site,
  address,
}) => {
  test.setTimeout(180_000);
  const driver = await newDriver({ site, address });
  await giveMoney(site, driver, 200_00);
  await signIn(driver);
  await charger.plug('F1001');
  await goToAmount(page, { station: 'F1001', connector: /Type 2/, method: 'balance' });
  await page.getByRole('textbox', { name: 'Сума' }).fill('15');
  await pressPay(page);

  await expect(page).toHaveURL(/\/status\/\d+$/);
  await expect(page.getByRole('heading', { name: 'Заряджаємо' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/0,0[1-9]|0,[1-9]/).first()).toBeVisible({ timeout: 60_000 });

  // The phone loses its network for a while: the last known state stays, with its age.
  await context.setOffline(true);
  await expect(page.getByText('Немає зв’язку').first()).toBeVisible();
  await expect(page.getByText(/Останні дані \d+\sс тому/)).toBeVisible();
  // A stop that is pressed now is kept on the phone without a promise of sums, can be withdrawn, and is sent later.
  await page.getByRole('button', { name: /Зупинити зарядку/i }).click();
  const kept = page.getByRole('dialog', { name: 'Зупинку збережено' });
  await expect(kept).not.toContainText('₴');
  await kept.getByRole('button', { name: 'Скасувати зупинку' }).click();
  await page.getByRole('button', { name: /Зупинити зарядку/i }).click();
  await kept.getByRole('button', { name: 'Зрозуміло' }).click();
  await context.setOffline(false);

  await expect(page.getByRole('heading', { name: 'Зарядку завершено' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Як пройшла зарядка?')).toBeVisible({ timeout: 10_000 });
  // No button is focused, so that a key press does not answer before the driver does.
  await expect(page.getByRole('dialog')).toBeFocused();
  await page.getByRole('button', { name: 'Пропустити' }).click();
  await expect(page.getByText(/Решту повернули на баланс/)).toBeVisible();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Квитанція PDF' }).click();
  const receipt = await saved;
  expect(receipt.suggestedFilename()).toMatch(/^invoice-fpay-\d+\.pdf$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await receipt.createReadStream()) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.byteLength).toBeGreaterThan(5000);
  await charger.unplug('F1001');
});

test.describe('axe finds nothing, in either theme,', () => {
  test.use({ expectedConsoleError: noMessages });
  test.beforeEach(async ({ page, signIn }) => {
    test.setTimeout(240_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signIn(people.driver);
  });

  test('on any step of a station', async ({ page }) => {
    await openStation(page, 'F1400');
    await checkAccessibility(page, { colours: true });
    await steps.connector(page);
    await expect(page.getByRole('heading', { name: 'Як платитимете?' })).toBeVisible();
    await checkAccessibility(page);
    await steps.payment(page, 'balance');
    await expect(page.getByRole('textbox')).toBeVisible();
    await checkAccessibility(page);
    await page.getByRole('textbox').fill('500');
    await expect(page.getByRole('alert')).toBeVisible();
    await checkAccessibility(page);
    await page.getByRole('textbox').fill('x');
    await checkAccessibility(page);
  });

  test('where nothing has to be paid, a cable is missing, or the station is offline', async ({ page }) => {
    await openStation(page, 'F1040');
    await page
      .getByRole('main')
      .getByRole('button', { name: /Вільний/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Під’єднайте кабель до авто' })).toBeVisible();
    await checkAccessibility(page);
    await page.getByRole('button', { name: 'Обрати інший роз’єм' }).click();
    await steps.connector(page);
    await expect(page.getByRole('heading', { name: 'Ця зарядка безкоштовна' })).toBeVisible();
    await checkAccessibility(page);
    await page.goto('/station/F1050');
    await expect(page.getByRole('heading', { name: 'Станція F1050 не на зв’язку' })).toBeVisible();
    await checkAccessibility(page);
  });

  test('at any point of a charge', async ({ page }) => {
    for (const point of [
      { status: 'created', page_url: 'https://bank.example/' },
      { status: 'starting' },
      { status: 'ongoing', is_online: false },
      { status: 'finishing', stop_requested: true },
      { status: 'finished', rating: 5, finished_at: '2026-11-15T05:41:00.000Z' },
      { status: 'pending_final_payment', rating: 5, finished_at: '2026-11-15T05:41:00.000Z' },
      { status: 'failed', rating: 1 },
      { status: 'canceled', rating: 1 },
    ]) {
      await openStatus(page, point);
      await checkAccessibility(page);
    }
    await page.route('**/api/feedback/allow', (route) => route.fulfill({ json: { allow: 'ALLOW' } }));
    for (const asked of ['finished', 'failed']) {
      // An older operation would not ask.
      await openStatus(page, { status: asked, finished_at: new Date().toISOString() });
      await expect(page.getByRole('dialog')).toBeVisible();
      await checkAccessibility(page);
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.evaluate('sessionStorage.clear()');
    }
    await page.goto('/active');
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    await checkAccessibility(page);
  });
});

test.describe(() => {
  test.use({ expectedConsoleError: noMessages });

  for (const language of languages) {
    test(`nothing scrolls sideways at 320 px from the connector to the receipt, in ${language}`, async ({
      page,
      signIn,
      site,
      address,
    }) => {
      test.setTimeout(120_000);
      // Polled, because the fallback font may be a pixel wider until our font is loaded.
      const fits = (where: string) =>
        expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), where).toBe(320);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await setLanguage(page, language);
      // A driver of its own, because the language is stored with the user.
      await signIn(await newDriver({ site, address }));
      await openStation(page, 'F1400');
      await fits('connectors');
      await steps.connector(page);
      await expect(page.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step');
      await fits('payment');
      await steps.payment(page, 'balance');
      const amount = page.getByRole('textbox');
      await amount.fill('100.55');
      await fits('amount');
      // The dock does not cover the number.
      const pay = await page.getByRole('main').getByRole('link').or(page.locator('[type=submit]')).last().boundingBox();
      const number = await amount.boundingBox();
      expect((number?.y ?? 0) + (number?.height ?? 0)).toBeLessThan(pay?.y ?? 0);
      for (const status of ['created', 'starting', 'ongoing', 'finished', 'failed']) {
        await openStatus(page, { status, rating: 5 });
        await fits(status);
      }
      await page.goto('/active');
      await fits('active');
    });
  }
});
