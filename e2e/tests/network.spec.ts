import { createSimulatedChargePoint } from '../../apps/simulator/src/charge-point.ts';
import { createClock } from '../../apps/simulator/src/clock.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { picture } from '../support/picture.ts';
import { shownValue } from '../support/secrets.ts';
import { expect, open, people, test } from '../support/test.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

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
    // Until the page is there the list of all charge points is.
    await expect(page.getByRole('heading', { level: 1, name: identity })).toBeVisible();
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
