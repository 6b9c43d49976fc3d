import type { Page } from '@playwright/test';
import { startReceiver } from '../../apps/server/src/integrations/testing/receiver.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { shownValue } from '../support/secrets.ts';
import { expect, open, people, test } from '../support/test.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** `SHOTS=<folder>` keeps pictures of the pages, to be looked at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function isWithin320(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 390, height: 844 });
}

test('an analyst has no integrations', async ({ page, signIn }) => {
  await signIn(people.analytic);
  await open(page, '/admin/integrations');
  await expect(page).toHaveURL(/\/404$/);
});

test('staff create a key, a program calls with it, and a revoked key is refused', async ({ page, signIn, site }) => {
  test.setTimeout(120_000);
  await signIn(people.superAdmin);
  await open(page, '/admin/integrations');
  await page.getByRole('button', { name: 'Створити ключ' }).click();
  const form = page.getByRole('dialog', { name: 'Створити ключ' });
  await form.getByLabel('Назва').fill('Облік');
  await checkAccessibility(page);
  await picture(page, 'key-form');
  await form.getByRole('button', { name: 'Створити' }).click();
  const shown = page.getByRole('dialog', { name: 'Ключ створено' });
  const key = await shownValue(shown, 0);
  await checkAccessibility(page);
  await picture(page, 'key-shown');
  await shown.getByRole('button', { name: 'Збережено' }).click();

  const call = (path: string) => fetch(`${site}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect((await call('/api/admin/network/stations')).status).toBe(200);
  expect((await call('/api/admin/stats?period=week')).status).toBe(403);

  const item = page.getByRole('list', { name: 'Ключі API' }).getByRole('listitem').first();
  await expect(item).toContainText(key.slice(0, 10));
  await checkAccessibility(page);
  await isWithin320(page);
  await picture(page, 'keys');
  await item.getByRole('button', { name: 'Відкликати' }).click();
  await page.getByRole('dialog').getByRole('button').first().click();
  await expect(item).toContainText('Відкликано');
  expect((await call('/api/admin/network/stations')).status).toBe(401);
});

test('a webhook is added, delivered and sent again under the same id', async ({ page, signIn }) => {
  test.setTimeout(120_000);
  const receiver = await startReceiver();
  await signIn(people.superAdmin);
  await open(page, '/admin/integrations/webhooks');
  await page.getByRole('button', { name: 'Додати вебхук' }).click();
  const form = page.getByRole('dialog', { name: 'Додати вебхук' });
  await form.getByLabel('Назва').fill('Облік подій');
  await form.getByLabel('Адреса').fill(receiver.url);
  await checkAccessibility(page);
  await form.getByRole('button', { name: 'Створити' }).click();
  const shown = page.getByRole('dialog', { name: 'Вебхук додано' });
  await shown.getByRole('button', { name: 'Збережено' }).click();
  await page.getByRole('link', { name: /Облік подій/ }).click();
  await page.getByRole('button', { name: 'Надіслати пробну подію' }).click();
  const deliveries = page.getByRole('list', { name: 'Надсилання' });
  // Charges of other tests have deliveries of their own.
  const trial = deliveries.getByRole('listitem').filter({ has: page.getByText('test', { exact: true }) });
  await expect(trial).toContainText('Доставлено', { timeout: 30_000 });
  await expect(trial).toContainText('HTTP 204');
  await checkAccessibility(page);
  await isWithin320(page);
  await picture(page, 'webhook');
  const trialIds = () => receiver.idsOf().filter((_, index) => receiver.kindsOf()[index] === 'test');
  await trial.getByRole('button', { name: 'Надіслати ще раз' }).click();
  await expect.poll(() => trialIds().length, { timeout: 30_000 }).toBe(2);
  expect(new Set(trialIds()).size).toBe(1);
  await page.getByRole('button', { name: 'Вилучити' }).click();
  await page.getByRole('dialog').getByRole('button').first().click();
  await expect(page).toHaveURL(/\/admin\/integrations\/webhooks$/);
  await receiver.close();
});

test('a partner gets a token and reads the stations', async ({ page, signIn, site }) => {
  test.setTimeout(120_000);
  await signIn(people.superAdmin);
  await open(page, '/admin/integrations/ocpi');
  await page.getByRole('button', { name: 'Додати партнера' }).click();
  const form = page.getByRole('dialog', { name: 'Додати партнера' });
  await form.getByLabel('Назва').fill('Plugs');
  await form.getByLabel('Код країни').fill('pl');
  await form.getByLabel('Код учасника').fill(String(100 + Math.floor(Math.random() * 900)));
  await form.getByLabel('Партнер реєструється за протоколом OCPI').uncheck();
  await checkAccessibility(page);
  await picture(page, 'partner-form');
  await form.getByRole('button', { name: 'Створити' }).click();
  const shown = page.getByRole('dialog', { name: 'Передайте партнерові' });
  const token = await shownValue(shown, 1);
  await shown.getByRole('button', { name: 'Збережено' }).click();
  const response = await fetch(`${site}/ocpi/2.2.1/locations?limit=5`, {
    headers: { authorization: `Token ${Buffer.from(token).toString('base64')}` },
  });
  expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(5);
  await checkAccessibility(page);
  await isWithin320(page);
  await picture(page, 'partners');
});
