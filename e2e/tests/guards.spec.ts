import type { Page } from '@playwright/test';
import { expect, load, people, test } from '../support/test.ts';

const notFound = (page: Page) => page.getByRole('heading', { name: '404' });

test('an unknown address shows 404 and the link to the map [GUARD-01] [GUARD-02]', async ({ page }) => {
  await load(page, '/no/such/page');
  await expect(notFound(page)).toBeVisible();
  await page.getByRole('link', { name: 'На мапу' }).click();
  await expect(page).toHaveURL(/\/map$/);
});

test('a visitor is redirected to sign-in from pages that need it [GUARD-03]', async ({ page }) => {
  for (const path of ['/account', '/station/F1400', '/status/1', '/admin', '/balance', '/party']) {
    await load(page, path);
    await expect(page).toHaveURL(/\/auth$/);
  }
  for (const path of ['/map', '/qr', '/reg', '/auth']) {
    await load(page, path);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
});

test('a driver can open the account but not the back office [GUARD-05] [GUARD-06] [GUARD-02]', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await load(page, '/account');
  await expect(page).toHaveURL(/\/account$/);
  await expect(notFound(page)).toHaveCount(0);
  await load(page, '/admin/users');
  await expect(page).toHaveURL(/\/404$/);
  await expect(notFound(page)).toBeVisible();
  await page.getByRole('link', { name: 'До акаунта' }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test('staff can open what their role allows, and every permission of a page is required [GUARD-05]', async ({
  page,
  signIn,
}) => {
  await signIn(people.analytic);
  await load(page, '/admin/anomalies');
  await expect(page).toHaveURL(/\/admin\/anomalies$/);
  await expect(notFound(page)).toHaveCount(0);
  await load(page, '/admin/shutdown');
  await expect(notFound(page)).toBeVisible();
  await signIn(people.superAdmin);
  await load(page, '/admin/shutdown');
  await expect(page).toHaveURL(/\/admin\/shutdown$/);
  await expect(notFound(page)).toHaveCount(0);
});

test('an address with an invalid id shows 404 [GUARD-18] [GUARD-19]', async ({ page, signIn }) => {
  await signIn(people.superAdmin);
  for (const path of ['/status/x', '/car/x3', '/admin/operations/9b', '/admin/users/7-8', '/admin/users/++380']) {
    await load(page, path);
    await expect(notFound(page), path).toBeVisible();
  }
});
