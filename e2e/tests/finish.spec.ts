import { languages } from '@fpay/contract/languages';
import { checkAccessibility } from '../support/accessibility.ts';
import { anyPage, expect, open, people, setLanguage, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const secondDriver = '+380500000002';

test.describe('the instruction for drivers', () => {
  for (const language of languages) {
    test(`opens without an account in ${language}, fits a narrow phone, and axe finds nothing`, async ({ page }) => {
      // The rules of axe over a long page take most of the usual time on a busy machine.
      test.slow();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await setLanguage(page, language);
      await page.setViewportSize({ width: 320, height: 640 });
      await open(page, '/instruction');
      const text = texts(language);
      await expect(page.getByRole('heading', { level: 1, name: text('instruction:title') })).toBeVisible();
      await expect(page.getByRole('listitem')).toHaveCount(5);
      await expect(page.getByText(text('instruction:deposit1'))).toBeVisible();
      await expect(page.getByText(text('instruction:failStartText'))).toBeVisible();
      await expect(page.getByRole('link', { name: text('instruction:scan') })).toHaveAttribute('href', '/qr');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      await expect(page).toHaveTitle(/ · FPay$/, { timeout: 20_000 });
      await expect(page).toHaveTitle(text('instruction:title'));
      await checkAccessibility(page);
    });
  }

  test('is where the menu leads', async ({ page, context }) => {
    await open(page, anyPage);
    await page.getByRole('button', { name: 'Відкрити меню' }).click();
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Як заряджати' }).click(),
    ]);
    await expect(opened.getByRole('heading', { level: 1, name: 'Як заряджати' })).toBeVisible();
  });
});

test.describe('a page that fails', () => {
  test.use({ expectedConsoleError: /./ });

  test('shows a code that staff find with the search, and a way back', async ({ page, signIn, browser, site }) => {
    test.slow();
    await signIn(secondDriver);
    // A page whose code fails while it is drawn.
    await page.route('**/assets/history-page-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: "export function Page() { throw new TypeError('a page that cannot be drawn'); }",
      }),
    );
    await open(page, '/history');
    await expect(page.getByRole('heading', { name: 'Щось пішло не так' })).toBeVisible({ timeout: 30_000 });
    const shown = await page.getByText(/^Код помилки: /).textContent();
    const code = /([A-Z2-9]{4}-[A-Z2-9]{4})/.exec(shown ?? '')?.[1] ?? '';
    expect(code).not.toBe('');
    await page.getByRole('link', { name: 'На мапу' }).click();
    await expect(page).toHaveURL(/\/map$/);
    await page.context().clearCookies();

    await signIn(people.superAdmin);
    const staff = await browser.newPage({ baseURL: site });
    await staff.context().addCookies(await page.context().cookies());
    await staff.addInitScript("localStorage['fpay.language'] = 'uk'");
    await open(staff, '/admin');
    await staff.keyboard.press('Control+KeyK');
    await staff.getByRole('combobox').fill(code.toLowerCase());
    await staff.getByRole('option').first().click();
    await expect(staff).toHaveURL(new RegExp(`/admin/page-errors/${code.replace('-', '')}$`));
    await expect(staff.getByText('/history', { exact: true })).toBeVisible();
    await expect(staff.getByRole('link', { name: 'Андрій Мельник' })).toBeVisible();
    await staff.emulateMedia({ reducedMotion: 'reduce' });
    await checkAccessibility(staff);
    await staff.close();
  });
});

test('the app has an icon for every place, shortcuts, and a preview of its links', async ({ page, request }) => {
  await open(page, '/station/F1400');
  const manifest = await (await request.get('/manifest.webmanifest')).json();
  expect(manifest.shortcuts.map(({ url }: { url: string }) => url)).toEqual(['/qr', '/map', '/active']);
  const meta = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content');
  expect(await meta('title')).toBe('F1400 · FPay');
  expect(await meta('description')).toContain('вул. Січеславська Набережна, 33, Дніпро');
  const picture = new URL((await meta('image')) ?? '').pathname;
  const files = [
    ...manifest.icons.map(({ src }: { src: string }) => src),
    ...manifest.shortcuts.flatMap(({ icons }: { icons: { src: string }[] }) => icons.map(({ src }) => src)),
    ...[picture, '/favicon.ico', '/apple-touch-icon.png'],
  ];
  for (const file of files) {
    const answer = await request.get(file);
    expect([file, answer.status(), answer.headers()['content-type']]).toEqual([
      file,
      200,
      expect.stringMatching(/^image\//),
    ]);
  }
});

test('on paper a list is its content alone: no header, buttons or navigation, dark on white', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/history?range=year');
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible({ timeout: 30_000 });
  const items = await page.getByRole('main').getByRole('listitem').count();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(items);
  const colours = await page.evaluate<string[]>(
    `[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.querySelector('main')).color]`,
  );
  expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(13, 21, 17)']);

  await page.context().clearCookies();
  await signIn(people.superAdmin);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, '/admin/operations');
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
