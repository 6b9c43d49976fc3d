import type { Page } from '@playwright/test';
import { people } from '../../e2e/support/test.ts';
import type { Look, Screen } from './screen.ts';

/** Staff work on a laptop and on a phone. */
const looks = ['uk light 1440', 'uk dark', 'pl light 320'] as const satisfies Look[];
const as = people.superAdmin;

/** The address of the first item of a list. */
const firstOf = (list: string, item: RegExp) => async (page: Page) => {
  await page.goto(list);
  await page.locator('[data-row]').first().waitFor();
  const addresses: string[] = await page.evaluate(
    `Array.from(document.querySelectorAll('main a'), (link) => link.getAttribute('href'))`,
  );
  const found = addresses.find((address) => item.test(address));
  if (!found) throw new Error(`${list} has no item`);
  return found;
};

export const firstOperation = firstOf('/admin/operations?status=closed', /\/admin\/operations\/\d+/);
/** The driver of that operation, who has money and operations to show. */
export async function firstDriver(page: Page): Promise<string> {
  await page.goto(await firstOperation(page));
  const link = page.locator('main a[href^="/admin/users/"]').first();
  return (await link.getAttribute('href')) ?? '/admin/users';
}

async function openAction(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /статус|status/i })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
}

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('F1400');
  await page.getByRole('option').first().waitFor();
}

async function openRating(page: Page): Promise<void> {
  await page.locator('[data-row]').first().click();
  await page.getByRole('dialog').waitFor();
}

async function openTab(page: Page): Promise<void> {
  await page.getByRole('tab').nth(1).click();
}

/** Every screen of the back office that a support call, a correction or a night shift needs. */
export const staffScreens: readonly Screen[] = [
  { name: 'staff-home', path: '/admin', as, looks },
  { name: 'staff-operations', path: '/admin/operations', as, looks },
  { name: 'staff-operation', path: '', as, looks, before: firstOperation },
  { name: 'staff-action', path: '', as, looks, before: firstOperation, act: openAction },
  { name: 'staff-users', path: '/admin/users', as, looks },
  { name: 'staff-user', path: '', as, looks, before: firstDriver },
  { name: 'staff-user-operations', path: '', as, looks, before: firstDriver, act: openTab },
  { name: 'staff-search', path: '/admin', as, looks, act: openSearch },
  { name: 'staff-stats', path: '/admin/stats?period=month', as, looks },
  { name: 'staff-feedback', path: '/admin/feedback', as, looks },
  { name: 'staff-rating', path: '/admin/feedback', as, looks, act: openRating },
  { name: 'staff-money', path: '/admin/money', as, looks },
  { name: 'staff-anomalies', path: '/admin/anomalies', as, looks },
  { name: 'staff-terminator', path: '/admin/terminator', as, looks },
  { name: 'staff-counters', path: '/admin/counters', as, looks },
  { name: 'staff-system', path: '/admin/system', as, looks },
  { name: 'staff-integrations', path: '/admin/integrations', as, looks },
  { name: 'staff-audit', path: '/admin/audit', as, looks },
  { name: 'staff-shutdown', path: '/admin/shutdown', as, looks },
];
