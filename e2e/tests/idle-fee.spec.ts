import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { clientOf, giveMoney } from '../support/client.ts';
import { newDriver } from '../support/driver.ts';
import { expect, open, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** The demo's station with an idle fee; no other test charges here. */
const station = 'F1490';
const uk = texts('uk');
const longTimeout = { timeout: 60_000 };

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** `SHOTS=<folder>` keeps pictures of the pages, to be looked at. */
async function picture(page: Page, name: string, sizes: readonly number[] = [390, 320]): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const width of sizes) {
    await page.setViewportSize({ width, height: width > 1000 ? 900 : 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
}

test('staff set an idle fee; a driver sees it before paying, is counted down, pays it and finds it on the receipt', async ({
  page,
  site,
  address,
  signIn,
}) => {
  test.setTimeout(420_000);
  await signIn(people.superAdmin);
  await open(page, '/admin/network/tariffs');
  await page.getByRole('link', { name: /parking/ }).click();
  await expect(page.getByLabel('Плата за простій')).toBeChecked();
  await page.getByLabel('За хвилину, ₴').fill('500');
  await page.getByLabel('Безкоштовно, хв').fill('0');
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page.getByText('Від 0,01 до 100 ₴')).toBeVisible();
  await expect(page.getByText('Від 1 до 240 хвилин')).toBeVisible();
  await page.getByLabel('За хвилину, ₴').fill('3');
  await page.getByLabel('Безкоштовно, хв').fill('1');
  await checkAccessibility(page);
  await picture(page, 'idle-tariff', [390, 320, 1440]);
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page.getByText(/простій 3,00\s₴\/хв після 1\sхв/)).toBeVisible(longTimeout);

  const driver = await newDriver({ site, address });
  const client = await clientOf(site, driver);
  await giveMoney(site, driver, 500_00);
  const balance = async () => (await client.get('/api/user')).body.balance as number;
  const before = await balance();
  // A small battery that is nearly full: the car takes a little and no more.
  const plug = `${process.env.SIMULATOR_URL}/charge-points/CP-${station}/connectors/1/plug`;
  const car = JSON.stringify({ soc: 95, battery_wh: 10_000 });
  await expect
    .poll(async () => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(plug, { method: 'POST', headers, body: car }).catch(() => null))?.status ?? 0;
    }, longTimeout)
    .toBe(200);

  await signIn(driver);
  await open(page, `/station/${station}`);
  const terms = page.getByText(/Простій: 3,00\s₴\/хв після 1\sхв/).first();
  await expect(terms).toBeVisible(longTimeout);
  await picture(page, 'idle-station');
  await page.getByRole('button', { name: /CCS2/ }).first().click();
  await page.getByRole('button', { name: uk('payment:balance') }).click(longTimeout);
  await expect(
    page.getByText(/перші 1\sхв безкоштовно, далі 3,00\s₴ за хвилину, але не більше депозиту/),
  ).toBeVisible();
  await checkAccessibility(page);
  await picture(page, 'idle-amount');
  await page.getByRole('button', { name: uk('payment:pay') }).click();
  await expect(page).toHaveURL(/\/status\/\d+$/, longTimeout);
  const id = Number(page.url().split('/').at(-1));
  const operation = async () => (await client.get(`/api/operation/${id}`)).body;

  // The car is full: the grace time is counted down on the screen.
  const idle = page.getByTestId('idle');
  await expect(idle).toContainText('Авто вже не заряджається', { timeout: 120_000 });
  await expect(idle).toContainText(/ще [01]:\d\d безкоштовно, далі 3,00\s₴ за хвилину/);
  await checkAccessibility(page);
  await picture(page, 'idle-grace');
  await expect(idle).toContainText(/Платний простій \d+:\d\d/, { timeout: 90_000 });
  await expect(idle).toContainText(/нараховано [1-9]\d*,00\s₴/, { timeout: 90_000 });
  await picture(page, 'idle-fee');

  // The driver stops the charge and leaves the cable in: the receipt waits for the plug.
  await client.mutate('POST', `/api/operation/stop/${id}`, {});
  await expect(idle).toContainText('Зарядку завершено, кабель ще під’єднано', longTimeout);
  await expect(idle).toContainText('Квитанція з’явиться, щойно від’єднаєте кабель.', longTimeout);
  await expect(page.getByRole('heading', { name: 'Від’єднайте кабель' })).toBeVisible();
  await checkAccessibility(page);
  await picture(page, 'idle-plugged');
  expect(await operation()).toMatchObject({ status: 'finishing', idle: { is_awaiting_unplug: true } });

  await charger.unplug(station);
  await expect.poll(async () => (await operation()).status, longTimeout).toBe('finished');
  const ended = await operation();
  expect(ended.idle.total).toBeGreaterThanOrEqual(3_00);
  expect(ended.idle.total % 3_00).toBe(0);
  expect(ended.total).toBe(Math.floor((ended.energy * ended.price + 500) / 1000) + ended.idle.total);

  // The screen, the receipt and the ledger have the same sums.
  const sum = (kopecks: number) => `${(kopecks / 100).toFixed(2).replace('.', ',')}\u00a0₴`;
  const skip = page.getByRole('button', { name: 'Пропустити' });
  await skip.click(longTimeout);
  const sums = page.getByRole('definition');
  await expect(page.getByText(`Простій, ${ended.idle.total / 3_00} хв`)).toBeVisible(longTimeout);
  await expect(sums.filter({ hasText: sum(ended.idle.total) }).first()).toBeVisible();
  await expect(sums.filter({ hasText: sum(ended.total - ended.idle.total) }).first()).toBeVisible();
  await checkAccessibility(page);
  await picture(page, 'idle-finished');
  expect(await balance()).toBe(before - ended.total);
  const moved = (await client.get('/api/user/balance/transactions')).body as {
    amount: number;
    context: { charging_operation_id?: number };
  }[];
  const own = moved.filter(({ context }) => context.charging_operation_id === id);
  expect(own.reduce((all, { amount }) => all + amount, 0)).toBe(-ended.total);
  const receipt = await page.request.get(`/api/invoice/${id}`);
  expect([receipt.status(), (await receipt.body()).subarray(0, 4).toString()]).toEqual([200, '%PDF']);

  // Staff see the fee beside the charge.
  await signIn(people.superAdmin);
  await open(page, `/admin/operations/${id}`);
  await page.getByText('Дані', { exact: true }).click(longTimeout);
  await expect(page.getByText('idle_total')).toBeVisible(longTimeout);
  await picture(page, 'idle-staff', [390, 1440]);
});
