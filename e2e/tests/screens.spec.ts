import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/accessibility.ts';
import { anyPage, expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';

interface Screen {
  path: string;
  as?: string;
  /** What the driver does before the screen is checked. */
  act?: (page: Page) => Promise<unknown>;
}

const openMenu = (page: Page) => page.getByRole('banner').getByRole('button').first().click();
const pressPixels = (page: Page) => page.getByRole('banner').getByRole('button').last().click();

const screens: Record<string, Screen> = {
  'the 404 page': { path: anyPage },
  'the 404 page of a driver': { path: anyPage, as: people.driver },
  'the menu of a visitor': { path: anyPage, act: openMenu },
  'the menu of a driver': { path: anyPage, as: people.driver, act: openMenu },
  'a popup': { path: anyPage, act: pressPixels },
  maintenance: { path: '/offline' },
  'the home of the back office': { path: '/admin', as: people.superAdmin },
};

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const end_time = new Date(Date.now() + 38 * 60_000).toISOString();
  const start_time = new Date(Date.now() - 52 * 60_000).toISOString();
  await page.route('**/api/is-down', (route) =>
    route.fulfill({ json: { is_down: true, start_time, end_time, text: null } }),
  );
});

for (const [name, { path, as, act }] of Object.entries(screens)) {
  test(`${name}: axe finds nothing in either theme, and nothing scrolls sideways at 320 px in any language [I18N-01]`, async ({
    page,
    signIn,
  }) => {
    if (as) await signIn(as);
    await open(page, path);
    await act?.(page);
    if (act) await expect(page.getByRole('dialog')).toBeVisible();
    await checkAccessibility(page);
    await fitsNarrowPhone(page);
    if (act) await expect(page.getByRole('dialog')).toBeVisible();
  });
}

test('the check with axe reports a picture without a text', async ({ page }) => {
  await open(page, anyPage);
  await page.evaluate(`document.querySelector('main').append(document.createElement('img'))`);
  await expect(checkAccessibility(page)).rejects.toThrow(/image-alt/);
});
