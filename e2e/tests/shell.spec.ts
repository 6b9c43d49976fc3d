import { anyPage, expect, open, people, test, withoutFirstAnswers } from '../support/test.ts';

test('a visitor finds menu, balance, pixels and language in the top bar [SHELL-01]', async ({ page }) => {
  await open(page, anyPage);
  const bar = page.getByRole('banner');
  await expect(bar.getByRole('button', { name: 'Відкрити меню' })).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Баланс' })).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Пікселі' })).toBeVisible();
  await expect(bar.getByRole('combobox', { name: 'Мова' })).toBeVisible();
});

test('a driver sees name and balance in hryvnias [SHELL-01] [CONST-01]', async ({ page, signIn }) => {
  await signIn(people.driver);
  await open(page, anyPage);
  const bar = page.getByRole('banner');
  await expect(bar).toContainText('Олена');
  await expect(bar.getByRole('link', { name: /Баланс/ })).toContainText(/^Баланс[\d\u00a0]+,\d\d\u00a0₴$/);
});

test('the menu offers a visitor sign-in, and a driver the account and the map [SHELL-04] [SHELL-05] [SHELL-09]', async ({
  page,
  signIn,
}) => {
  const menu = page.getByRole('dialog', { name: 'Меню' });
  await open(page, anyPage);
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  await expect(menu.getByRole('link', { name: 'Увійти' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Створити акаунт' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Мапа' })).toHaveCount(0);

  await signIn(people.driver);
  await open(page, anyPage);
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  await expect(menu.getByRole('link', { name: 'Увійти' })).toHaveCount(0);
  await menu.getByRole('link', { name: /Акаунт.*Олена Коваль/ }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(menu).toHaveCount(0);
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  await menu.getByRole('link', { name: 'Мапа' }).click();
  await expect(page).toHaveURL(/\/map$/);
});

test('the menu opens the scanner, the instruction, the bot and the landing site [SHELL-06] [SHELL-10] [SHELL-11] [SHELL-12]', async ({
  page,
}) => {
  await open(page, anyPage);
  const site = new URL(page.url()).origin;
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  const menu = page.getByRole('dialog', { name: 'Меню' });
  for (const [name, href] of [
    ['Як заряджати', `${site}/instruction`],
    ['Telegram-бот', 'https://t.me/fpay_bot'],
    ['Instagram', 'https://instagram.com/fpay'],
    ['Сайт FPay', 'https://fpay.example/'],
  ] as const) {
    const link = menu.getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', href);
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await menu.getByRole('link', { name: 'Сканувати QR' }).click();
  await expect(page).toHaveURL(/\/qr$/);
});

test('the menu works by keyboard and returns the focus', async ({ page }) => {
  await open(page, anyPage);
  const button = page.getByRole('button', { name: 'Відкрити меню' });
  await button.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Меню' });
  await expect(menu).toBeVisible();
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab');
    await expect(menu.locator(':focus')).toHaveCount(1);
  }
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('pages are at most 3xl wide and centred [SHELL-14]', async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 800 });
  await open(page, anyPage);
  const box = await page.getByRole('main').boundingBox();
  expect(box?.width).toBe(768);
  expect(box?.x).toBe((1400 - 768) / 2);
});

test('a loading animation fills the screen until the first page is ready, and only then [SHELL-15]', async ({
  page,
}) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await withoutFirstAnswers(page);
  await page.route('**/api/user', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(anyPage);
  const loading = page.getByRole('progressbar', { name: 'Завантаження' });
  expect(await loading.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await loading.locator('.loading-spark').evaluate((spark) => spark.getAnimations().length)).toBe(1);
  await expect(page.getByRole('main')).toHaveCount(0);
  answer();
  await expect(page.getByRole('main')).toBeVisible();
  await expect(loading).toHaveCount(0);
});

test('the version label toggles between the version and a text about progress [SHELL-16]', async ({ page }) => {
  await open(page, anyPage);
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  const label = page.getByRole('button', { name: /Версія/ });
  await expect(label).toHaveText('Версія: v2.9.8');
  await label.click();
  await expect(label).toHaveText('Версія: У розробці');
  await label.click();
  await expect(label).toHaveText('Версія: v2.9.8');
});

test('a popup closes on OK and on a press outside [SHELL-17]', async ({ page }) => {
  await open(page, anyPage);
  const popup = page.getByRole('dialog', { name: 'Пікселі з’являться незабаром' });
  await page.getByRole('button', { name: 'Пікселі' }).click();
  await expect(popup.getByRole('button')).toHaveText('OK');
  await popup.getByRole('button', { name: 'OK' }).click();
  await expect(popup).toHaveCount(0);

  await page.getByRole('button', { name: 'Пікселі' }).click();
  await expect(popup).toBeVisible();
  await page.mouse.click(195, 200);
  await expect(popup).toHaveCount(0);
});

test('a longer message has a smaller font [SHELL-18]', async ({ page }) => {
  await open(page, anyPage);
  const sizes: string[] = [];
  for (const button of ['Пікселі', 'Баланс']) {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    sizes.push(await page.evaluate("getComputedStyle(document.querySelector('[role=dialog] h2')).fontSize"));
    await page.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  expect(sizes).toEqual(['20px', '16px']);
});

test('the main button is in upper case [SHELL-20]', async ({ page }) => {
  await open(page, anyPage);
  const button = page.getByRole('link', { name: 'На мапу' });
  await expect(button).toHaveText('НА МАПУ', { useInnerText: true });
});

test('/debug is an empty page [SHELL-22]', async ({ page }) => {
  await open(page, '/debug');
  await expect(page.locator('body')).toHaveText('', { useInnerText: true });
  await expect(page.getByRole('main')).toBeEmpty();
});

test.describe(() => {
  test.use({ expectedConsoleError: /ERR_FAILED .*\/assets\// });

  test('the chosen theme is stored, and applied from the first paint on', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open(page, anyPage);
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(await background()).toBe('rgb(242, 244, 240)');
    await page.getByRole('button', { name: 'Відкрити меню' }).click();
    await page.getByRole('radio', { name: 'Темна' }).dispatchEvent('click');
    expect(await background()).toBe('rgb(10, 15, 12)');

    // No script of the app runs, so only the script in the head can have set it.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(anyPage);
    expect(await background()).toBe('rgb(10, 15, 12)');
  });

  test('a page whose code could not be loaded offers a retry', async ({ page }) => {
    await open(page, anyPage);
    let isBroken = true;
    await page.route('**/assets/debug-*.js', (route) => (isBroken ? route.abort() : route.continue()));
    await page.evaluate("history.pushState(null, '', '/debug')");
    await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))');
    await expect(page.getByRole('heading', { name: 'Немає зв’язку' })).toBeVisible();
    isBroken = false;
    await page.getByRole('button', { name: 'Спробувати ще раз' }).click();
    await expect(page.getByRole('main')).toBeEmpty();
  });
});
