import type { Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { codeSentTo } from '../support/sms.ts';
import { expect, fitsNarrowPhone, open, people, setLanguage, test } from '../support/test.ts';

/** Some of these tests are about refused sign-ins, and the browser logs each. */
test.use({ expectedConsoleError: /status of (401|404|409|422|429) .*\/api\// });

const words = {
  uk: {
    phone: 'Номер телефону',
    password: 'Пароль',
    signIn: 'Увійти',
    guest: 'Продовжити як гість',
    charge: 'Зарядити як гість',
    hints: ['Користувача не знайдено. Перевірте номер.', 'Можливо, пароль неправильний?'],
  },
  en: {
    phone: 'Phone number',
    password: 'Password',
    signIn: 'Sign in',
    guest: 'Continue as a guest',
    charge: 'Charge as a guest',
    hints: ['User not found!', 'Maybe, wrong password?'],
  },
  pl: {
    phone: 'Numer telefonu',
    password: 'Hasło',
    signIn: 'Zaloguj się',
    guest: 'Kontynuuj jako gość',
    charge: 'Ładuj jako gość',
    hints: ['Nie znaleziono użytkownika. Sprawdź numer.', 'Może hasło jest nieprawidłowe?'],
  },
} as const;
type Language = keyof typeof words;

async function fillIn(page: Page, phone: string, password: string, language: Language = 'uk') {
  await page.getByLabel(words[language].phone).fill(phone);
  await page.getByLabel(words[language].password, { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: words[language].signIn, exact: true }).click();
}

for (const language of Object.keys(words) as Language[]) {
  test(`${language}: a wrong password gives two hints, the right one opens the requested page [AUTH-01] [ERR-05] [GUARD-04]`, async ({
    page,
  }) => {
    await setLanguage(page, language);
    await open(page, '/balance');
    await expect(page).toHaveURL(/\/auth$/);
    await fillIn(page, people.driver, 'not-the-password', language);
    for (const hint of words[language].hints) await expect(page.getByText(hint)).toBeVisible();
    await expect(page.getByLabel(words[language].phone)).toHaveValue('+380 50 000 00 01');
    await fillIn(page, people.driver, demoPassword, language);
    await expect(page).toHaveURL(/\/balance$/);
  });

  test(`${language}: a visitor sees the scanned station first and charges there as a guest [AUTH-03] [AUTH-05]`, async ({
    page,
  }) => {
    await setLanguage(page, language);
    await open(page, '/station/F1001');
    await expect(page).toHaveURL(/\/auth$/);
    await page.getByRole('listitem').getByRole('button', { disabled: false }).first().click();
    await page.getByRole('button', { name: words[language].charge }).click();
    await expect(page).toHaveURL(/\/station\/F1001$/);
    await expect(page.getByRole('main')).toContainText('Type 2');
  });
}

test('without a requested page sign-in leads to the account, and a signed-in user is redirected there [GUARD-20] [GUARD-16]', async ({
  page,
}) => {
  await open(page, '/auth');
  await expect(page.getByRole('button', { name: words.uk.guest })).toBeDisabled();
  await fillIn(page, people.driver, demoPassword);
  await expect(page).toHaveURL(/\/account$/);
  for (const path of ['/auth', '/reg', '/otp']) {
    await open(page, path);
    await expect(page).toHaveURL(/\/account$/);
  }
});

test('the sign-in page links to sign-up and the terms and has three languages [AUTH-02]', async ({ page }) => {
  await open(page, '/auth');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'умовами користування' })).toHaveAttribute('href', /^https:/);
  await page.getByRole('combobox', { name: 'Мова' }).selectOption('pl');
  await expect(main.getByRole('heading', { name: 'Witamy w FPay' })).toBeVisible();
  await main.getByRole('link', { name: 'Załóż konto' }).click();
  await expect(page).toHaveURL(/\/reg$/);
});

test('a guest who opens sign-in goes back with one press [AUTH-04]', async ({ page }) => {
  await open(page, '/station/F1001');
  await page.getByRole('listitem').getByRole('button', { disabled: false }).first().click();
  await page.getByRole('button', { name: words.uk.charge }).click();
  await expect(page).toHaveURL(/\/station\/F1001$/);
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Увійти' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(/\/station\/F1001$/);
});

test('after five wrong passwords a popup requests to wait [ERR-06]', async ({ page }) => {
  await open(page, '/auth');
  for (let time = 0; time < 5; time++) {
    const answered = page.waitForResponse('**/api/login');
    await fillIn(page, '+380509999999', `guess-${time}`);
    expect((await answered).status()).toBe(401);
  }
  await fillIn(page, '+380509999999', 'guess-6');
  await expect(page.getByRole('dialog', { name: 'Забагато спроб. Спробуйте трохи згодом.' })).toBeVisible();
});

test.describe(() => {
  test.use({ expectedConsoleError: /status of 500 .*\/api\/login$/ });

  test('a server error is shown in a popup, and the input stays [ERR-07]', async ({ page }) => {
    await page.route('**/api/login', (route) =>
      route.fulfill({ status: 500, json: { message: 'Internal error', code: 'server_error' } }),
    );
    await open(page, '/auth');
    await fillIn(page, people.driver, demoPassword);
    const popup = page.getByRole('dialog', { name: 'Помилка на сервері. Спробуйте трохи згодом.' });
    await popup.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByLabel(words.uk.phone)).toHaveValue('+380 50 000 00 01');
    await expect(page.getByLabel(words.uk.password, { exact: true })).toHaveValue(demoPassword);
  });
});

test('in the festive week a banner is shown once a year [AUTH-06]', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.setFixedTime('2026-10-30T12:00:00+02:00');
  // `open` is not used, because it waits for the page's main part, which the banner hides from roles as soon as it is
  // shown.
  await page.goto('/auth');
  const banner = page.getByRole('dialog', { name: 'Солодощі — вам, енергія — авто' });
  await expect(banner).toBeVisible();
  await checkAccessibility(page);
  await banner.getByRole('button', { name: 'OK' }).click();
  await expect(banner).toHaveCount(0);
  await page.reload();
  // The page is shown, and only what the user opens covers it.
  await page.getByRole('button', { name: 'Забули пароль?' }).click();
  await expect(page.getByRole('dialog', { name: 'Відновлення пароля' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
});

test('a forgotten password is replaced with the code of an SMS, and old sessions end [AUTH-07] [AUTH-08] [AUTH-09] [AUTH-10]', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  // A second device is signed in.
  const elsewhere = await browser.newPage();
  await open(elsewhere, '/auth');
  await fillIn(elsewhere, lostBy, demoPassword);
  await expect(elsewhere).toHaveURL(/\/account$/);

  await open(page, '/auth');
  await page.getByRole('button', { name: 'Забули пароль?' }).click();
  const popup = page.getByRole('dialog', { name: 'Відновлення пароля' });
  await popup.getByLabel('Новий пароль').fill('brand-new-secret');
  await popup.getByLabel('Номер телефону').fill('+380509999998');
  await popup.getByRole('button', { name: 'Отримати код' }).click();
  await expect(popup.getByText('Користувача не знайдено. Перевірте номер.')).toBeVisible();

  await popup.getByLabel('Номер телефону').fill(lostBy);
  await popup.getByRole('button', { name: 'Отримати код' }).click();
  await popup.getByLabel('Код із SMS').fill('000000');
  await expect(popup.getByText('Не вдалося змінити пароль. Перевірте код і спробуйте ще раз.')).toBeVisible();
  await expect(popup.getByLabel('Код із SMS')).toBeFocused();
  await popup.getByLabel('Код із SMS').fill(await codeSentTo(lostBy));
  await page.getByRole('dialog', { name: 'Пароль змінено' }).getByRole('button', { name: 'OK' }).click();
  await fillIn(page, lostBy, 'brand-new-secret');
  await expect(page).toHaveURL(/\/account$/);

  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/auth$/);
  await elsewhere.close();
});
/** No other test signs in as this user of the demo. */
const lostBy = '+380500000005';

test('a guest who returns from the bank in another browser finds their charge again', async ({ page, browser }) => {
  test.setTimeout(120_000);
  let taps = 0;
  const tap = async (name: RegExp | string) => {
    taps += 1;
    await page.getByRole('button', { name }).first().click({ timeout: 60_000 });
  };
  await charger.plug('F1051');
  await page.goto('/station/F1051');
  await tap(words.uk.charge);
  await tap(/Сплатити/i);
  await page.waitForURL(/\/bank\//, { timeout: 30_000 });
  expect(taps).toBeLessThanOrEqual(4);

  // The bank's app opens another browser, which has no session.
  const other = await browser.newPage();
  await other.goto(page.url());
  await other.getByTestId('bank-pay').click();
  await other.waitForURL(/\/status\/\d+$/, { timeout: 30_000 });
  expect(other.url()).not.toContain('return');
  await expect(other.getByRole('main')).toContainText('F1051');
  await other.close();
});

const screens: Record<string, { path: string; act?: (page: Page) => Promise<unknown> }> = {
  'sign-in': { path: '/station/F1001' },
  'a lost password': { path: '/auth', act: (page) => page.getByRole('main').locator('form button').first().click() },
  'sign-up': { path: '/reg/42', act: (page) => page.locator('form button[type=submit]').click() },
};

for (const [name, { path, act }] of Object.entries(screens)) {
  test(`${name}: axe finds nothing in either theme, and nothing scrolls sideways at 320 px`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, path);
    await act?.(page);
    await checkAccessibility(page);
    await fitsNarrowPhone(page);
  });
}
