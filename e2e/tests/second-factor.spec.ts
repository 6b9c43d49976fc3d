import type { BrowserContext, Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { lookAt } from '../support/looks.ts';
import { type Product, startProduct } from '../support/stack.ts';
import { test as base, expect, open, speak } from '../support/test.ts';
import { languages, words } from '../support/words.ts';

/** One each: a phone gets one code per half a minute. */
const people = { support: '+380500000011', operator: '+380500000012', admin: '+380500000013' };
const patience = { timeout: 60_000 };
const uk = words('uk');

/** A network that asks staff for a code, as production does; the demo of the other tests does not. */
const test = base.extend<object, { strict: Product }>({
  strict: [
    // biome-ignore lint/correctness/noEmptyPattern: the way to say that it needs nothing.
    async ({}, use) => {
      const product = await startProduct({ STAFF_SECOND_FACTOR: 'on' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ strict }, use) => use(strict.url),
});
test.describe.configure({ mode: 'serial', timeout: 180_000 });
/** Refusals are what these tests are about. */
test.use({ expectedComplaint: /status of (401|422|429) .*\/api\// });

async function givePassword(page: Page, phone: string) {
  await page.getByLabel(uk('auth:phone')).fill(phone);
  await page.getByLabel('Пароль', { exact: true }).fill(demoPassword);
  await page.getByRole('main').getByRole('button', { name: 'Увійти', exact: true }).click();
}

/** The sandbox's page of one phone's messages, as somebody with that phone in hand would read it. */
async function codeOnPhone(context: BrowserContext, { sandbox }: Product, phone: string): Promise<string> {
  const phoneScreen = await context.newPage();
  await phoneScreen.goto(`${sandbox}/sms?phone=${encodeURIComponent(phone)}`);
  const messages = phoneScreen.locator('[data-live]');
  await expect(messages).toContainText(/\d{6}/, patience);
  const [code = ''] = /\b\d{6}\b/.exec(await messages.innerText()) ?? [];
  await phoneScreen.close();
  return code;
}

const codeField = (page: Page) => page.getByLabel(uk('auth:secondFactorCode'));
const isStaff = async (page: Page, { url }: Product): Promise<boolean> =>
  (await (await page.request.get(`${url}/api/user`)).json()).permissions.includes('access-admin-page');

test('staff give the code of an SMS after the password; until then they have no staff rights [AUTH-19]', async ({
  page,
  context,
  strict,
}) => {
  await open(page, '/admin/users');
  await expect(page).toHaveURL(/\/auth$/);
  await givePassword(page, people.support);
  await expect(page.getByText(uk('auth:secondFactorSms'))).toBeVisible(patience);
  expect(await isStaff(page, strict)).toBe(false);
  expect((await page.request.post(`${strict.url}/api/admin/users`, { data: {} })).ok()).toBe(false);

  const code = await codeOnPhone(context, strict, people.support);
  await codeField(page).fill(code === '000000' ? '111111' : '000000');
  await expect(page.getByText(uk('refusals:wrongCode'))).toBeVisible();
  await expect(codeField(page)).toHaveValue('');
  await codeField(page).fill(code);
  await expect(page).toHaveURL(/\/admin\/users$/, patience);
  expect(await isStaff(page, strict)).toBe(true);
});

test('who goes on without the code is a driver, and finds the way to the code again', async ({
  page,
  context,
  strict,
}) => {
  await open(page, '/auth');
  await givePassword(page, people.operator);
  await page.getByRole('button', { name: uk('auth:asDriver') }).click(patience);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('link', { name: uk('account:admin') })).toHaveCount(0);
  await page.getByRole('button', { name: uk('menu:open') }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: uk('menu:staffCode') })
    .click();
  await codeField(page).fill(await codeOnPhone(context, strict, people.operator), patience);
  await expect(page).toHaveURL(/\/account$/, patience);
  await expect(page.getByRole('link', { name: uk('account:admin') })).toBeVisible();
});

test('a trusted device asks for no code the next time, another one does', async ({
  page,
  context,
  browser,
  strict,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/auth');
  await givePassword(page, people.admin);
  await expect(page.getByText(uk('auth:secondFactorSms'))).toBeVisible(patience);
  await lookAt(page);
  await page.getByRole('switch', { name: uk('auth:trustDevice') }).click();
  await codeField(page).fill(await codeOnPhone(context, strict, people.admin));
  await expect(page).toHaveURL(/\/account$/, patience);

  await page.getByRole('button', { name: uk('account:signOut') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: uk('account:signOut') })
    .click();
  await expect(page).toHaveURL(/\/auth$/);
  await givePassword(page, people.admin);
  await expect(page).toHaveURL(/\/account$/, patience);
  expect(await isStaff(page, strict)).toBe(true);

  const other = await browser.newPage({ baseURL: strict.url });
  await open(other, '/auth');
  await givePassword(other, people.admin);
  await expect(codeField(other)).toBeVisible(patience);
  expect(await isStaff(other, strict)).toBe(false);
  await other.setViewportSize({ width: 320, height: 640 });
  for (const language of languages) {
    await speak(other, language);
    await open(other, '/auth');
    await expect(other.locator('html')).toHaveAttribute('lang', language);
    await expect(other.getByLabel(words(language)('auth:secondFactorCode'))).toBeVisible();
    expect(await other.evaluate('document.documentElement.scrollWidth'), language).toBe(320);
  }
  await other.close();
});
