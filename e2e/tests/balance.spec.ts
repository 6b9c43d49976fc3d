import type { Page } from '@playwright/test';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { anyPage, expect, fitsNarrowPhone, load, open, people, setLanguage, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** Two users whose balances no other test changes, and one inside a closed party. */
const driver = '+380500000006';
const friend = '+380500000002';
const partyMember = '+380500000004';
const longTimeout = { timeout: 60_000 };
const uk = texts('uk');

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** The large number, in kopecks. */
async function balanceOf(page: Page): Promise<number> {
  const shown = await page.getByTestId('balance').textContent();
  return Math.round(Number(shown?.replace(/[^\d,]/g, '').replace(',', '.')) * 100);
}
const button = (page: Page, name: RegExp) => page.getByRole('main').getByRole('button', { name });
const sheet = (page: Page) => page.getByRole('dialog');
const rows = (page: Page) => page.getByRole('main').getByRole('listitem');

async function openBalance(page: Page) {
  await open(page, '/balance');
  await expect(rows(page).first()).toBeVisible(longTimeout);
}

test('the balance is for registered users: a visitor sees an explanation and signs in first, a guest finds no page [GUARD-10] [BAL-04]', async ({
  page,
  context,
  site,
  address,
  signIn,
}) => {
  await open(page, anyPage);
  await page
    .getByRole('banner')
    .getByRole('button', { name: uk('menu:balance') })
    .click();
  await expect(sheet(page).getByText(uk('generic:registeredOnly'))).toBeVisible();
  await open(page, '/balance');
  await expect(page).toHaveURL(/\/auth$/);
  const guest = createTestClient(site);
  await guest.mutate('POST', '/api/guest', {}, { headers: { 'x-forwarded-for': address } });
  await context.addCookies(Array.from(guest.jar, ([name, value]) => ({ name, value, url: site })));
  await load(page, '/balance');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByRole('banner').getByRole('link', { name: uk('menu:signIn') })).toBeVisible();
  await signIn(people.driver);
  await openBalance(page);
  await expect(page).toHaveURL(/\/balance$/);
});

test('a driver tops up on the bank’s page, returns and sees the money [BAL-05] [BAL-06] [BAL-07] [BAL-08]', async ({
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
  await expect(page.getByTestId('bank-amount')).toContainText('250', longTimeout);
  await page.getByTestId('bank-pay').click();

  await expect(page).toHaveURL(/\/balance/, longTimeout);
  await expect(page.getByText(uk('balance:toppedUp')).first()).toBeVisible(longTimeout);
  await expect.poll(() => balanceOf(page), longTimeout).toBe(before + 250_00);
  await expect(rows(page).first()).toContainText(/Поповнення.*\+250,00/);
  // The result is shown once, so a reload shows nothing.
  await expect(page).not.toHaveURL(/from-bank/);
});

test('a driver who returns without paying gets the link to the bank again, and a refused card is reported', async ({
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
  await expect(page.getByTestId('bank-pay')).toBeVisible(longTimeout);
  await open(page, '/balance?from-bank');
  await expect(page.getByText(uk('balance:waiting'))).toBeVisible();
  await page.getByRole('link', { name: uk('balance:backToPayment') }).click();
  await page.getByTestId('bank-decline').click(longTimeout);
  await expect(page).toHaveURL(/\/balance/, longTimeout);
  await expect(page.getByText(uk('balance:notPaid')).first()).toBeVisible(longTimeout);
  expect(await balanceOf(page)).toBe(before);
});

test.describe('a gift', () => {
  test.use({ expectedConsoleError: /status of 40[34] .*balance\/gift/ });
  test('reaches another driver, who sees it at once; a refused gift shows the reason [BAL-09] [BAL-10] [ERR-11] [ERR-12]', async ({
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
    // The recipient's name is confirmed first; the button has the same text.
    await expect(sheet(page).getByRole('status')).toContainText('Ан… М.');
    await send.click();
    await expect(sheet(page).getByText(/надіслано/)).toContainText('1,50');
    await expect(amount).toHaveValue('');

    await expect.poll(() => balanceOf(friendPage), longTimeout).toBe(before + 1_50);
    await expect(rows(friendPage).first()).toContainText(/Подарунок вам.*\+1,50/);
    await theirs.close();
  });
});

test.describe('while the server fails', () => {
  test.use({ expectedConsoleError: /status of 500/ });
  test('the balance suggests to refresh the page [ERR-16]', async ({ page, signIn }) => {
    await signIn(driver);
    await page.route('**/api/user/balance/transactions*', (route) => route.fulfill({ status: 500, json: {} }));
    await open(page, '/balance');
    await expect(sheet(page).getByText(uk('balance:loadFailed'))).toBeVisible();
  });
});

for (const language of ['en', 'pl'] as const) {
  test(`top-up and gift are in ${language}`, async ({ page, signIn }) => {
    const say = texts(language);
    await setLanguage(page, language);
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

test('balance, top-up and gift: axe finds nothing in either theme, and nothing scrolls sideways at 320 px in any language', async ({
  page,
  signIn,
}) => {
  test.setTimeout(180_000);
  await signIn(driver);
  await openBalance(page);
  await checkAccessibility(page, { colours: true });
  for (const key of sheets) {
    await button(page, uk(key)).click();
    await checkAccessibility(page);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
  }
  await fitsNarrowPhone(page, async (language) => {
    for (const key of sheets) {
      await button(page, texts(language)(key)).click();
      await expect(sheet(page)).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth'), language).toBe(320);
      await page.keyboard.press('Escape');
      await expect(sheet(page)).toHaveCount(0);
    }
  });
});
