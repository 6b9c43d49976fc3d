import type { Page } from '@playwright/test';
import { createClient } from '../../apps/server/src/testing/client.ts';
import { lookAt } from '../support/looks.ts';
import { expect, open, people, speak, test } from '../support/test.ts';
import { languages, words } from '../support/words.ts';

/** Two whose balances no other test moves, and one across a closed party's border. */
const driver = '+380500000006';
const friend = '+380500000002';
const partyMember = '+380500000004';
const patience = { timeout: 60_000 };
const uk = words('uk');

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** The large number, in kopecks. */
async function balanceOf(page: Page): Promise<number> {
  const shown = await page.getByRole('heading', { level: 1 }).textContent();
  return Math.round(Number(shown?.replace(/[^\d,]/g, '').replace(',', '.')) * 100);
}
const button = (page: Page, name: RegExp) => page.getByRole('main').getByRole('button', { name });
const sheet = (page: Page) => page.getByRole('dialog');
const rows = (page: Page) => page.getByRole('main').getByRole('listitem');

async function openBalance(page: Page) {
  await open(page, '/balance');
  await expect(rows(page).first()).toBeVisible(patience);
}

test('the balance is for the registered: a visitor signs in first, a guest is told so [GUARD-10] [BAL-04]', async ({
  page,
  context,
  site,
  address,
  signIn,
}) => {
  await open(page, '/balance');
  await expect(page).toHaveURL(/\/auth$/);
  const guest = createClient(site);
  await guest.mutate('POST', '/api/guest', {}, { headers: { 'x-forwarded-for': address } });
  await context.addCookies(Array.from(guest.jar, ([name, value]) => ({ name, value, url: site })));
  await open(page, '/balance');
  await expect(page).toHaveURL(/\/404$/);
  await page
    .getByRole('banner')
    .getByRole('button', { name: uk('menu:balance') })
    .click();
  await expect(sheet(page).getByText(uk('generic:registeredOnly'))).toBeVisible();
  await signIn(people.driver);
  await openBalance(page);
  await expect(page).toHaveURL(/\/balance$/);
});

test('a driver tops up on the bank’s page, comes back and sees the money [BAL-05] [BAL-06] [BAL-07] [BAL-08]', async ({
  page,
  signIn,
}) => {
  test.setTimeout(120_000);
  await signIn(driver);
  await openBalance(page);
  const before = await balanceOf(page);
  await button(page, uk('balance:topUp')).click();
  await expect(sheet(page).getByText(uk('balance:unplugFirst'))).toBeVisible();
  await sheet(page).getByRole('button', { name: '250' }).click();
  await sheet(page)
    .getByRole('button', { name: uk('balance:pay') })
    .click();
  await expect(page.getByTestId('bank-amount')).toContainText('250', patience);
  await page.getByTestId('bank-pay').click();

  await expect(page).toHaveURL(/\/balance/, patience);
  await expect(page.getByText(uk('balance:toppedUp')).first()).toBeVisible(patience);
  await expect.poll(() => balanceOf(page), patience).toBe(before + 250_00);
  await expect(rows(page).first()).toContainText(/Поповнення.*\+250,00/);
  // Told once: a reload has nothing to tell.
  await expect(page).not.toHaveURL(/from-bank/);
});

test('whoever comes back without having paid finds the way to the bank again; a refused card is told', async ({
  page,
  signIn,
}) => {
  test.setTimeout(120_000);
  await signIn(people.partyOwner);
  await openBalance(page);
  const before = await balanceOf(page);
  await button(page, uk('balance:topUp')).click();
  await sheet(page)
    .getByRole('button', { name: uk('balance:pay') })
    .click();
  await expect(page.getByTestId('bank-pay')).toBeVisible(patience);
  await open(page, '/balance?from-bank');
  await expect(page.getByText(uk('balance:waiting'))).toBeVisible();
  await page.getByRole('link', { name: uk('balance:backToPayment') }).click();
  await page.getByTestId('bank-decline').click(patience);
  await expect(page).toHaveURL(/\/balance/, patience);
  await expect(page.getByText(uk('balance:notPaid')).first()).toBeVisible(patience);
  expect(await balanceOf(page)).toBe(before);
});

test.describe('a gift', () => {
  test.use({ expectedComplaint: /status of 40[34] .*balance\/gift/ });
  test('reaches another driver, who sees it at once; a refused one says why [BAL-09] [BAL-10] [ERR-11] [ERR-12]', async ({
    page,
    browser,
    site,
    signIn,
  }) => {
    test.setTimeout(120_000);
    await signIn(friend);
    const cookies = await page.context().cookies();
    const theirs = await browser.newContext({ baseURL: site });
    await theirs.addCookies(cookies);
    const friendPage = await theirs.newPage();
    await openBalance(friendPage);
    const before = await balanceOf(friendPage);

    await signIn(driver);
    await openBalance(page);
    await button(page, uk('balance:gift')).click();
    const [phone, amount] = [sheet(page).getByRole('textbox').first(), sheet(page).getByRole('textbox').last()];
    const send = sheet(page).getByRole('button', { name: uk('balance:gift') });
    await amount.fill('1,50');
    await phone.fill('+380509999999');
    await send.click();
    await expect(sheet(page).getByText(uk('refusals:userNotFound'))).toBeVisible();
    await phone.fill(partyMember);
    await send.click();
    await expect(sheet(page).getByText(uk('refusals:transferRefused'))).toBeVisible();
    await phone.fill(friend);
    await send.click();
    // The recipient's name is confirmed first; the button has the same words.
    await expect(sheet(page).getByRole('status')).toContainText('Ан… М.');
    await send.click();
    await expect(sheet(page).getByText(/подаровано/)).toContainText('1,50');
    await expect(amount).toHaveValue('');

    await expect.poll(() => balanceOf(friendPage), patience).toBe(before + 1_50);
    await expect(rows(friendPage).first()).toContainText(/Подарунок вам.*\+1,50/);
    await theirs.close();
  });
});

test.describe('while the server fails', () => {
  test.use({ expectedComplaint: /status of 500/ });
  test('the balance asks to refresh the page [ERR-16]', async ({ page, signIn }) => {
    await signIn(driver);
    await page.route('**/api/user/balance/transactions*', (route) => route.fulfill({ status: 500, json: {} }));
    await open(page, '/balance');
    await expect(sheet(page).getByText(uk('balance:loadFailed'))).toBeVisible();
  });
});

for (const language of ['en', 'pl'] as const) {
  test(`topping up and giving speak ${language}`, async ({ page, signIn }) => {
    const say = words(language);
    await speak(page, language);
    await signIn(driver);
    await openBalance(page);
    await button(page, say('balance:topUp')).click();
    await sheet(page).getByRole('textbox').fill('9');
    await expect(sheet(page).getByText(say('generic:invalidAmount'))).toBeVisible();
    await page.keyboard.press('Escape');
    await button(page, say('balance:gift')).click();
    await sheet(page).getByRole('textbox').first().fill(driver);
    await sheet(page).getByRole('textbox').last().fill('0');
    await sheet(page)
      .getByRole('button', { name: say('balance:gift') })
      .click();
    await expect(sheet(page).getByText(say('balance:ownPhone'))).toBeVisible();
    await expect(sheet(page).getByText(say('generic:invalidAmount'))).toBeVisible();
  });
}

const sheets = ['balance:topUp', 'balance:gift'] as const;

test('balance, top-up and gift: axe finds nothing in either theme', async ({ page, signIn }) => {
  test.setTimeout(180_000);
  await signIn(driver);
  await openBalance(page);
  await lookAt(page);
  for (const key of sheets) {
    await button(page, uk(key)).click();
    await lookAt(page);
    await page.keyboard.press('Escape');
  }
});

test('balance, top-up and gift: nothing scrolls sideways at 320 px in any language', async ({ page, signIn }) => {
  test.setTimeout(120_000);
  await signIn(driver);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of languages) {
    await speak(page, language);
    await openBalance(page);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    for (const key of sheets) {
      await button(page, words(language)(key)).click();
      await expect(sheet(page)).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth'), language).toBe(320);
      await page.keyboard.press('Escape');
      await expect(sheet(page)).toHaveCount(0);
    }
  }
});
