import { anyPage, expect, open, setLanguage, test } from '../support/test.ts';

for (const [locale, lang, toMap] of [
  ['xx-XX', 'uk', 'На мапу'],
  ['en-GB', 'en', 'Map'],
  ['pl-PL', 'pl', 'Mapa'],
] as const)
  test.describe(() => {
    test.use({ locale });
    test(`the first visit of a browser in ${locale} is in ${lang} [I18N-02]`, async ({ page }) => {
      await open(page, anyPage);
      await expect(page.locator('html')).toHaveAttribute('lang', lang);
      await expect(page.getByRole('link', { name: toMap })).toBeVisible();
    });
  });

test('a guest who reads Polish is stored as one', async ({ page, site }) => {
  await setLanguage(page, 'pl');
  await open(page, '/station/F1400');
  const stored = page.waitForRequest((request) => request.url() === `${site}/api/user/language`);
  await page.getByRole('listitem').getByRole('button', { disabled: false }).first().click();
  await page.getByRole('button', { name: 'Ładuj jako gość' }).click();
  expect((await stored).postDataJSON()).toMatchObject({ language: 'pl' });
  await expect.poll(async () => (await (await page.request.get(`${site}/api/user`)).json()).language).toBe('pl');
});

test('the switcher offers exactly uk, en, pl and changes the texts of the page [I18N-03]', async ({ page }) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (/\/assets\/[^/]+\.js$/.test(response.url())) scripts.push(response.text());
  });
  await open(page, anyPage);
  const switcher = page.getByRole('banner').getByRole('combobox');
  await expect(switcher.getByRole('option')).toHaveText(['Українська', 'English', 'Polski']);

  await switcher.selectOption('pl');
  await expect(page.getByRole('link', { name: 'Mapa' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
  const loaded = (await Promise.all(scripts)).join('');
  expect(loaded).toContain('На мапу');
  expect(loaded).toContain('Nie ma takiej strony');
  // English was not chosen, so its texts are not loaded.
  expect(loaded).not.toContain('There is no such page');

  await page.reload();
  await expect(page.getByRole('link', { name: 'Mapa' })).toBeVisible();
  await switcher.selectOption('en');
  await expect(page.getByRole('link', { name: 'Map' })).toBeVisible();
  await switcher.selectOption('uk');
  await expect(page.getByRole('link', { name: 'На мапу' })).toBeVisible();
});

test('the menu changes the language too [I18N-03]', async ({ page }) => {
  await open(page, anyPage);
  await page.getByRole('button', { name: 'Відкрити меню' }).click();
  // The radio itself is hidden behind its label, which is still moving.
  await page.getByRole('radio', { name: 'Polski' }).dispatchEvent('click');
  await expect(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Zaloguj się' })).toBeVisible();
});
