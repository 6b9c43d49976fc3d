import type { Page } from '@playwright/test';
import { expect, open, people, test } from '../support/test.ts';

/** Opens the page after another one of the app, so that Back could leave it. */
async function openAfterAnother(page: Page, path: string): Promise<void> {
  await open(page, '/account');
  await page.goto(path);
  await expect(page.getByRole('main')).toBeAttached();
}

const depth = (page: Page) => page.evaluate('history.state.depth');

test.beforeEach(({ signIn }) => signIn(people.driver));

test('Back closes the menu and stays on the page', async ({ page }) => {
  await openAfterAnother(page, '/history');
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  const menu = page.getByRole('dialog', { name: 'Меню' });
  await expect(menu).toBeVisible();
  await expect.poll(() => depth(page)).toBe(1);
  await page.goBack();
  await expect(menu).toHaveCount(0);
  await expect(page).toHaveURL(/\/history$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/account$/);
});

test('Back closes the top-up sheet; a sheet closed by its button leaves nothing to go back from', async ({ page }) => {
  await openAfterAnother(page, '/balance');
  const sheet = page.getByRole('dialog', { name: 'Поповнити баланс' });
  const topUp = page.getByRole('main').getByRole('button', { name: 'Поповнити' });
  await topUp.click();
  await expect(sheet).toBeVisible();
  await expect.poll(() => depth(page)).toBe(1);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/balance$/);

  await topUp.click();
  await expect.poll(() => depth(page)).toBe(1);
  await sheet.getByRole('button', { name: 'Закрити' }).click();
  await expect(sheet).toHaveCount(0);
  await expect.poll(() => depth(page)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/account$/);
});

test('Back closes a sheet of the map', async ({ page }) => {
  await openAfterAnother(page, '/map');
  await page.getByRole('button', { name: 'Станція або адреса' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(() => depth(page)).toBe(1);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/map$/);
});

test('a page opened from the menu is one step from the page below it', async ({ page }) => {
  await openAfterAnother(page, '/history');
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  await expect.poll(() => depth(page)).toBe(1);
  await page.getByRole('dialog', { name: 'Меню' }).getByRole('link', { name: 'Мапа' }).click();
  await expect(page).toHaveURL(/\/map$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/history$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a reload with an open sheet shows the page without it, one step from the page before', async ({ page }) => {
  await openAfterAnother(page, '/balance');
  await page.getByRole('main').getByRole('button', { name: 'Поповнити' }).click();
  await expect.poll(() => depth(page)).toBe(1);
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'Поповнити' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => depth(page)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/account$/);
});
