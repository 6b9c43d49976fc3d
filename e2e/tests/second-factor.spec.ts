import type { BrowserContext, Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { type Product, startProduct } from '../support/stack.ts';
import { test as base, expect, fitsNarrowPhone, open } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** One user for each test, because a phone gets one code per 30 seconds. */
const people = { support: '+380500000011', operator: '+380500000012', admin: '+380500000013' };
const longTimeout = { timeout: 60_000 };
const uk = texts('uk');

/**
 * A product that requires a second factor from staff, as in production; the demo of the other tests does not. Nothing
 * here needs a station.
 */
const test = base.extend<object, { strict: Product }>({
  strict: [
    // biome-ignore lint/correctness/noEmptyPattern: the way to say that it needs nothing.
    async ({}, use) => {
      const product = await startProduct({ STAFF_SECOND_FACTOR: 'on', DEMO_NETWORK: 'none' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ strict }, use) => use(strict.url),
});
test.describe.configure({ mode: 'serial', timeout: 180_000 });
/** These tests cause refusals on purpose. */
test.use({ expectedConsoleError: /status of (401|422|429) .*\/api\// });

async function givePassword(page: Page, phone: string) {
  await page.getByLabel(uk('auth:phone')).fill(phone);
  await page.getByLabel('Пароль', { exact: true }).fill(demoPassword);
  await page.getByRole('main').getByRole('button', { name: 'Увійти', exact: true }).click();
}

/** The code of a phone from the sandbox's page. */
async function codeOnPhone(context: BrowserContext, { sandbox }: Product, phone: string): Promise<string> {
  const phoneScreen = await context.newPage();
  await phoneScreen.goto(`${sandbox}/sms?phone=${encodeURIComponent(phone)}`);
  const messages = phoneScreen.locator('[data-live]');
  await expect(messages).toContainText(/\d{6}/, longTimeout);
  const [code = ''] = /\b\d{6}\b/.exec(await messages.innerText()) ?? [];
  await phoneScreen.close();
  return code;
}

const codeField = (page: Page) => page.getByLabel(uk('signInCode:secondFactorCode'));
const isStaff = async (page: Page, { url }: Product): Promise<boolean> =>
  (await (await page.request.get(`${url}/api/user`)).json()).permissions.includes('access-admin-page');

test('staff enter the code of an SMS after the password; until then they have no staff rights [AUTH-19]', async ({
  page,
  context,
  strict,
}) => {
  await open(page, '/admin/users');
  await expect(page).toHaveURL(/\/auth$/);
  await givePassword(page, people.support);
  await expect(page.getByText(uk('signInCode:secondFactorSms'))).toBeVisible(longTimeout);
  expect(await isStaff(page, strict)).toBe(false);
  expect((await page.request.post(`${strict.url}/api/admin/users`, { data: {} })).ok()).toBe(false);

  const code = await codeOnPhone(context, strict, people.support);
  await codeField(page).fill(code === '000000' ? '111111' : '000000');
  await expect(page.getByText(uk('refusals:wrongCode'))).toBeVisible();
  await expect(codeField(page)).toHaveValue('');
  await codeField(page).fill(code);
  await expect(page).toHaveURL(/\/admin\/users$/, longTimeout);
  expect(await isStaff(page, strict)).toBe(true);
});

test('a user who continues without the code is a driver, and finds the link to the code again', async ({
  page,
  context,
  strict,
}) => {
  await open(page, '/auth');
  await givePassword(page, people.operator);
  await page.getByRole('button', { name: uk('signInCode:asDriver') }).click(longTimeout);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('link', { name: uk('account:admin') })).toHaveCount(0);
  await page.getByRole('button', { name: uk('menu:open') }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: uk('menu:staffCode') })
    .click();
  await codeField(page).fill(await codeOnPhone(context, strict, people.operator), longTimeout);
  await expect(page).toHaveURL(/\/account$/, longTimeout);
  await expect(page.getByRole('link', { name: uk('account:admin') })).toBeVisible();
});

test('a trusted device needs no code the next time, another one does', async ({ page, context, browser, strict }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/auth');
  await givePassword(page, people.admin);
  await expect(page.getByText(uk('signInCode:secondFactorSms'))).toBeVisible(longTimeout);
  await checkAccessibility(page);
  await page.getByRole('switch', { name: uk('signInCode:trustDevice') }).click();
  await codeField(page).fill(await codeOnPhone(context, strict, people.admin));
  await expect(page).toHaveURL(/\/account$/, longTimeout);

  await page.getByRole('button', { name: uk('account:signOut') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('account:signOut') })
    .click();
  await expect(page).toHaveURL(/\/auth$/);
  await givePassword(page, people.admin);
  await expect(page).toHaveURL(/\/account$/, longTimeout);
  expect(await isStaff(page, strict)).toBe(true);

  const other = await browser.newPage({ baseURL: strict.url });
  await open(other, '/auth');
  await givePassword(other, people.admin);
  await expect(codeField(other)).toBeVisible(longTimeout);
  expect(await isStaff(other, strict)).toBe(false);
  await fitsNarrowPhone(other, (language) =>
    expect(other.getByLabel(texts(language)('signInCode:secondFactorCode'))).toBeVisible(),
  );
  await other.close();
});
