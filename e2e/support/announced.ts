import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/**
 * The page that a navigation has opened: the tab has its name, a screen reader hears it, and the focus is on its heading,
 * which may show something else.
 */
export async function expectAnnounced(page: Page, name: string, heading = name): Promise<void> {
  await expect(page).toHaveTitle(`${name} · FPay`);
  await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeFocused();
  await expect(page.locator('main ~ p[aria-live=polite]')).toHaveText(name);
}
