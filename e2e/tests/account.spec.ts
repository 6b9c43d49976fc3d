import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { newDriver } from '../support/driver.ts';
import { codeSentTo, newPhone } from '../support/sms.ts';
import { expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const cover = (page: Page, field: string) => page.getByRole('button', { name: `Змінити: ${field}.` });
const save = (page: Page) => page.getByRole('button', { name: 'Зберегти' });

/**
 * The server closes the socket at once, and the page may request a new token before it learns that the session is over.
 */
const closedSocket = /status of 401 .*\/api\/negotiate$/;

test.describe('signing out', () => {
  test.use({ expectedConsoleError: closedSocket });

  test('staff can open the back office, a driver the other pages, and signing out needs a confirmation [ACC-01] [ACC-03] [ACC-06]', async ({
    page,
    signIn,
    site,
    address,
  }) => {
    await signIn(people.analytic);
    await open(page, '/account');
    await expect(page.getByRole('link', { name: 'Адміністрування' })).toContainText('Аналітик');
    await expect(page.getByRole('link', { name: 'RFID-картки' })).toHaveAttribute('href', '/rfid');

    await signIn(await newDriver({ site, address }));
    await open(page, '/account');
    await expect(page.getByRole('link', { name: 'Адміністрування' })).toHaveCount(0);
    for (const [name, path] of [
      ['Активні сесії', '/active'],
      ['Історія', '/history'],
      ['Статистика', '/stats'],
      ['Мої авто', '/cars'],
      ['Редагувати профіль', '/edit'],
      ['Поповнити', '/balance'],
      ['Сканувати QR', '/qr'],
      ['Мапа', '/map'],
    ] as const) {
      await page.getByRole('main').getByRole('link', { name }).click();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await page.goBack();
      await expect(page).toHaveURL(/\/account$/);
    }

    await page.getByRole('button', { name: 'Вийти' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Вийти' }).click();
    await expect(page).toHaveURL(/\/auth$/);
    await open(page, '/account');
    await expect(page).toHaveURL(/\/auth$/);
  });
});

test('a driver changes name and avatar, and a warning appears before unsaved edits are lost [EDIT-01] [EDIT-05] [EDIT-06] [EDIT-07]', async ({
  page,
  signIn,
  site,
  address,
}) => {
  await signIn(await newDriver({ site, address }));
  await open(page, '/account');
  await page.getByRole('link', { name: 'Редагувати профіль' }).click();
  await cover(page, 'Ім’я').click();
  await page.getByLabel('Ім’я').fill('Ірина Перша');
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Вийти без збереження?' });
  await question.getByRole('button', { name: 'Редагувати далі' }).click();
  await expect(page).toHaveURL(/\/edit$/);

  await page.getByRole('link', { name: 'Змінити аватар' }).click();
  await expect(page.getByRole('button', { pressed: true })).toHaveText('Авто');
  await page.getByRole('button', { name: 'Вогник' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await expect(page.getByLabel('Ім’я')).toHaveValue('Ірина Перша');
  await save(page).click();
  await expect(page.getByText('Зміни збережено')).toBeVisible();
  await page.reload();
  await expect(cover(page, 'Ім’я')).toContainText('Ірина Перша');
  await expect(page.getByRole('main').locator('img')).toHaveAttribute('src', /avatar-6/);
  // Choosing an avatar adds no history entry.
  await page.goBack();
  await expect(page).toHaveURL(/\/account$/);
});

test.describe('a new phone and password', () => {
  test.use({ expectedConsoleError: /status of (409|422) .*\/api\/user\/\d+$/ });

  test('need the current password and the code of an SMS [EDIT-01] [EDIT-08]', async ({
    page,
    signIn,
    site,
    address,
  }) => {
    await signIn(await newDriver({ site, address }));
    const phone = newPhone();
    await open(page, '/edit');
    await cover(page, 'Номер телефону').click();
    await page.getByLabel('Номер телефону').fill(phone);
    await cover(page, 'Пароль').click();
    await page.getByLabel('Новий пароль').fill('another-secret');
    await save(page).click();

    const proof = page.getByRole('dialog', { name: 'Підтвердьте, що це ви' });
    await proof.getByLabel('Поточний пароль').fill('not-this-one');
    await proof.getByLabel(/^Код із SMS/).fill(await codeSentTo(phone));
    await proof.getByRole('button', { name: 'Підтвердити' }).click();
    await expect(proof.getByText('Пароль неправильний')).toBeVisible();
    await checkAccessibility(page);
    await proof.getByLabel('Поточний пароль').fill(demoPassword);
    await proof.getByRole('button', { name: 'Підтвердити' }).click();
    await expect(page.getByText('Зміни збережено')).toBeVisible();

    // A page of ours would request a new real-time token without a session and be signed out.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await open(page, '/auth');
    await page.getByLabel('Номер телефону').fill(phone);
    await page.getByLabel('Пароль', { exact: true }).fill('another-secret');
    await page.getByRole('button', { name: 'Увійти' }).click();
    await expect(page).toHaveURL(/\/account$/);
  });
});

test.describe('deleting an account', () => {
  test.use({ expectedConsoleError: closedSocket });

  test('a driver downloads their data and deletes the account', async ({ page, signIn, site, address }) => {
    await signIn(await newDriver({ site, address }));
    await open(page, '/edit');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Завантажити мої дані' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('fpay-data.json');
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
      user: { name: 'Дарина Нова' },
      cars: [{ name: 'Леаф' }],
    });

    await page.getByRole('button', { name: 'Видалити акаунт' }).click();
    const question = page.getByRole('dialog', { name: 'Видалити акаунт?' });
    await question.getByLabel('Поточний пароль').fill(demoPassword);
    await question.getByRole('button', { name: 'Видалити назавжди' }).click();
    await expect(page.getByRole('dialog', { name: /Акаунт видалено/ })).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    expect((await page.request.get(`${site}/api/user`)).status()).toBe(401);
  });
});

const uncoverAll = async (page: Page) => {
  for (const field of ['Ім’я', 'Номер телефону', 'Пароль']) await cover(page, field).click();
};
const screens = {
  '/account': async () => {},
  '/icons': async () => {},
  '/edit': uncoverAll,
};

test('the account, the avatars and the editor: axe finds nothing in either theme', async ({ page, signIn }) => {
  await signIn(people.partyOwner);
  for (const [path, act] of Object.entries(screens)) {
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await act(page);
    await checkAccessibility(page);
  }
});

test('the account, its editor and the avatars fit 320 px in every language', async ({ page, signIn }) => {
  await signIn(people.superAdmin);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of Object.keys(screens)) {
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await fitsNarrowPhone(page);
  }
});
