import type { Page } from '@playwright/test';
import { createSimulatedChargePoint } from '../../apps/simulator/src/charge-point.ts';
import { createClock } from '../../apps/simulator/src/clock.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { shownValue } from '../support/secrets.ts';
import { expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** `SHOTS=<folder>` keeps pictures of the pages, to be looked at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const staffPages = [
  '/admin/network',
  '/admin/network/charge-points',
  '/admin/network/sites',
  '/admin/network/stations/F1400/report',
];

test('the network is for staff who may see it: an analyst gets the 404 page', async ({ page, signIn }) => {
  await signIn(people.analytic);
  await open(page, '/admin/network');
  await expect(page).toHaveURL(/\/404$/);
});

test('a charge point is registered, connects with the shown password, and answers a command', async ({
  page,
  signIn,
  site,
}) => {
  test.setTimeout(120_000);
  await signIn(people.superAdmin);
  await open(page, '/admin/network/charge-points');
  await page.getByRole('button', { name: 'Зареєструвати' }).first().click();
  const identity = `FP-E2E-${Math.floor(Math.random() * 1e6)}`;
  const form = page.getByRole('dialog', { name: 'Новий зарядний пристрій' });
  await form.getByLabel('Ідентифікатор').fill(identity);
  await form.getByRole('button', { name: 'Зареєструвати' }).click();
  const shown = page.getByRole('dialog', { name: 'Дані для під’єднання' });
  const password = await shownValue(shown, 2);
  await expect(shown.locator('dd').nth(0)).toContainText(`/ocpp/${identity}`);
  await checkAccessibility(page);
  await picture(page, 'credentials');
  await shown.getByRole('button', { name: 'Записано' }).click();

  const device = createSimulatedChargePoint({
    url: `${site.replace(/^http/, 'ws')}/ocpp`,
    identity,
    password,
    connectors: [{ id: 1, type: 'ccstype2', powerW: 60_000 }],
    scenario: 'normal',
    clock: createClock({ speed: 1 }),
  });
  device.start();
  try {
    await page.getByLabel('Ідентифікатор, модель або станція').fill(identity);
    await page.getByRole('link', { name: new RegExp(identity) }).click();
    await expect(page.getByText('На зв’язку', { exact: true })).toBeVisible({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Запит повідомлення' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Надіслати' }).click();
    await expect(page.getByText('Accepted', { exact: true }).first()).toBeVisible({ timeout: 30_000 });
    await page.getByLabel('Тип або вміст').fill('BootNotification');
    await page
      .getByRole('button', { name: /BootNotification/ })
      .first()
      .click({ timeout: 30_000 });
    await expect(page.getByRole('button', { name: 'JSON запиту' })).toBeVisible();
    await checkAccessibility(page);
    await picture(page, 'charge-point');
    await page.getByRole('link', { name: 'Введення в дію' }).click();
    await page.getByRole('button', { name: 'Почати' }).click();
    await expect(page.getByRole('img', { name: 'виконано' }).first()).toBeVisible();
    await checkAccessibility(page);
    await picture(page, 'commissioning');
  } finally {
    device.stop();
  }
});

test('a limit is set for the stations of a site', async ({ page, signIn }) => {
  await signIn(people.superAdmin);
  await open(page, '/admin/network/sites');
  await page.getByRole('button', { name: 'Додати' }).click();
  const form = page.getByRole('dialog', { name: 'Новий майданчик' });
  const name = `ТРЦ ${Math.floor(Math.random() * 1e6)}`;
  await form.getByLabel('Назва').fill(name);
  await form.getByLabel('Ліміт, кВт').fill('0');
  await form.getByRole('button', { name: 'Зберегти' }).click();
  await expect(form.getByText('Від 1 до 20 000 кВт')).toBeVisible();
  await checkAccessibility(page);
  await form.getByLabel('Ліміт, кВт').fill('120');
  await form.getByLabel('Станції').fill('F1062, F1063');
  await form.getByRole('button', { name: 'Зберегти' }).click();
  await page.getByRole('link', { name: new RegExp(name) }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('row', { name: /F1062-1/ })).toBeVisible();
  await checkAccessibility(page);
  await picture(page, 'site');
});

for (const path of staffPages) {
  test(`${path}: axe finds nothing, and nothing scrolls sideways at 320 px in any language [I18N-01]`, async ({
    page,
    signIn,
  }) => {
    await signIn(people.superAdmin);
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await checkAccessibility(page);
    await picture(page, path.slice(1).replaceAll('/', '-'));
    await fitsNarrowPhone(page, async (language) => {
      if (process.env.SHOTS)
        await page.screenshot({
          path: `${process.env.SHOTS}/${path.slice(1).replaceAll('/', '-')}-320-${language}.png`,
          fullPage: true,
        });
    });
  });
}

/** Lists and their first item, on a laptop; on a phone they are checked while the network is built. */
const laptopScreens = [
  ['stations', 'stations/F1400'],
  ['stations/new', null],
  ['tariffs', 'first'],
  ['promotions', 'year'],
  ['parties', 'first'],
  ['rfid', null],
  ['import', null],
] as const;

for (const [screen, then] of laptopScreens) {
  test(`/admin/network/${screen} on a laptop: axe finds nothing in either theme`, async ({ page, signIn }) => {
    test.setTimeout(120_000);
    const shown = async () => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 60_000 });
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
    };
    await signIn(people.superAdmin);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, `/admin/network/${screen}`);
    await shown();
    await checkAccessibility(page);
    if (then === null) return;
    if (then === 'first') {
      await page.locator('main :is([data-row], ul a):not(nav *)').first().click();
      await expect(page).toHaveURL(new RegExp(`/admin/network/${screen}/\\d+$`));
    } else if (then === 'year') {
      await page.getByRole('group').first().locator('label').nth(1).click();
    } else {
      await open(page, `/admin/network/${then}`);
    }
    await shown();
    await checkAccessibility(page);
  });
}
