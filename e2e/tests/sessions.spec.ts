import type { Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { newDriver } from '../support/driver.ts';
import { expect, fitsNarrowPhone, open, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1';
/** The folder for screenshots of this test, which are only for people. */
const screens = process.env.SESSION_SCREENS;

async function picture(page: Page, name: string): Promise<void> {
  if (!screens) return;
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
  await page.screenshot({ path: `${screens}/${name}.png` });
}

test.use({ expectedConsoleError: /status of 401 .*\/api\/(negotiate|user)$|WebSocket connection to .* failed/ });

test('a driver sees their signed-in devices and signs the others out', async ({
  page,
  browser,
  signIn,
  site,
  address,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const driver = await newDriver({ site, address });
  await signIn(driver);
  const phones = [];
  for (const ip of ['93.74.12.9', '2a02:2378:11a:77::1']) {
    const context = await browser.newContext({
      baseURL: site,
      userAgent: iPhone,
      extraHTTPHeaders: { 'x-forwarded-for': ip },
    });
    const phone = await context.newPage();
    await open(phone, '/auth');
    await phone.getByLabel('Номер телефону').fill(driver);
    await phone.getByLabel('Пароль', { exact: true }).fill(demoPassword);
    await phone.getByRole('main').getByRole('button', { name: 'Увійти', exact: true }).click();
    await expect(phone).toHaveURL(/\/account$/);
    phones.push(phone);
  }
  const [first, second] = phones;

  await open(page, '/edit');
  const list = page.getByRole('region', { name: 'Де ви ввійшли' });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect(list.getByRole('listitem').first()).toContainText('Цей пристрій');
  await expect(list.getByText('IP-адреса 93.74.x.x')).toBeVisible();
  await expect(list.getByText('IP-адреса 2a02:2378:x')).toBeVisible();
  await checkAccessibility(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await picture(page, 'uk-390');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'uk-390-dark');
  await page.emulateMedia({ colorScheme: 'light' });

  const row = list.getByRole('listitem').filter({ hasText: '93.74.x.x' });
  await row.getByRole('button', { name: 'Вийти на пристрої Safari · iPhone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Вийти', exact: true }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await open(first ?? page, '/balance');
  await expect(first ?? page).toHaveURL(/\/auth$/);
  await open(second ?? page, '/balance');
  await expect(second ?? page).toHaveURL(/\/balance$/);

  await fitsNarrowPhone(page, async (language) => {
    await expect(page.getByRole('region', { name: texts(language)('account:devicesTitle') })).toBeVisible();
    await picture(page, `${language}-320`);
  });
  await list.getByRole('button', { name: 'Вийти на всіх інших' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Вийти на інших' }).click();
  await expect(list.getByText(/^Більше ніде\./)).toBeVisible();
  await open(second ?? page, '/balance');
  await expect(second ?? page).toHaveURL(/\/auth$/);
  await open(page, '/account');
  await expect(page).toHaveURL(/\/account$/);
});
