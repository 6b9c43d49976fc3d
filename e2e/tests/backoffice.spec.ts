import { checkAccessibility } from '../support/accessibility.ts';
import { clientOf } from '../support/client.ts';
import { newDriver } from '../support/driver.ts';
import { chargeByCard } from '../support/pay.ts';
import { expect, open, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const longTimeout = { timeout: 60_000 };
const uk = texts('uk');
const desktop = { width: 1440, height: 900 };

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('the view of an operation and of a user: axe finds nothing in either theme, and nothing scrolls sideways at 320 px', async ({
  page,
  signIn,
}) => {
  test.setTimeout(240_000);
  await signIn(people.superAdmin);
  const narrow = { width: 320, height: 640 };
  const check = async () => {
    for (const size of [desktop, narrow]) {
      await page.setViewportSize(size);
      await checkAccessibility(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
    }
    await page.setViewportSize(desktop);
  };
  await page.setViewportSize(desktop);
  await open(page, '/admin/operations');
  await page.locator('[data-row]').first().click(longTimeout);
  await expect(page.getByRole('list', { name: uk('adminOperations:timeline') })).toBeVisible(longTimeout);
  await check();
  await page.getByRole('button', { name: uk('adminOperations:forceStatus') }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkAccessibility(page, { colours: true });
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Користувач', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/users\/\d+/);
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click(longTimeout);
    await expect(page.getByRole('tabpanel')).toBeVisible(longTimeout);
    await check();
  }
});

test('the search and the popups of feedback: axe finds nothing in either theme', async ({ page, signIn }) => {
  test.setTimeout(120_000);
  await signIn(people.superAdmin);
  await page.setViewportSize(desktop);
  await open(page, '/admin/feedback');
  await page.getByRole('button', { name: 'Оцінки станції' }).click(longTimeout);
  await page.getByLabel('Номер станції').fill('F1400');
  await page.getByLabel('Рік', { exact: true }).check({ force: true });
  await expect(page.getByLabel('Оцінки за зірками')).toBeVisible(longTimeout);
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('F1400');
  await expect(page.getByRole('option').first()).toBeVisible(longTimeout);
  await checkAccessibility(page);
});

test('a support call leads from the phone number to the refund', async ({ page, context, signIn, site, address }) => {
  test.setTimeout(240_000);
  const phone = await newDriver({ site, address });
  await signIn(phone);
  const operation = await chargeByCard(page, 'F1042');

  await context.clearCookies();
  await signIn(people.superAdmin);
  await page.setViewportSize(desktop);
  await open(page, '/admin');
  await expect(page.getByRole('button', { name: /^Знайти будь-що/ })).toBeVisible(longTimeout);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(phone);
  await expect(page.getByRole('option', { name: /Дарина Нова/ })).toBeVisible(longTimeout);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/users\/\d+$/, longTimeout);
  await page.getByRole('tab', { name: uk('admin:operations') }).click();
  await page
    .getByRole('link', { name: String(operation) })
    .first()
    .click(longTimeout);
  await expect(page).toHaveURL(new RegExp(`/admin/operations/${operation}$`));

  await page.getByRole('button', { name: uk('adminOperations:cancelPayment') }).click(longTimeout);
  const popup = page.getByRole('dialog');
  await expect(popup.getByText(/Повернемо на картку/)).toBeVisible(longTimeout);
  await popup.getByText('Списано зайве').click();
  await popup.getByRole('button', { name: uk('admin:do') }).click();
  await expect(popup.getByRole('status')).toHaveText(/Готово/, longTimeout);
  await popup.getByRole('button', { name: 'OK' }).click();
  // The bank confirms a refund a moment later, and the open page shows it.
  await expect(page.getByText('REV').first()).toBeVisible(longTimeout);

  // The driver's operation, its refund and the one who made it are in the audit.
  await open(page, `/admin/audit?subject_kind=payment`);
  await expect(page.getByText(/Головний адміністратор/).first()).toBeVisible(longTimeout);
});

test('an anomaly is found and repaired', async ({ page, context, signIn, site, address }) => {
  test.setTimeout(240_000);
  await signIn(await newDriver({ site, address }));
  const operation = await chargeByCard(page, 'F1045');

  // A member of staff mistypes the energy, which is far above what a car can take.
  const client = await clientOf(site, people.superAdmin, address);
  const wrong = { energy: 900_000, update_total: false };
  const forced = await client.mutate('PATCH', `/api/admin/operation/${operation}`, wrong);
  expect(forced.status).toBe(200);

  await context.clearCookies();
  await signIn(people.superAdmin);
  await page.setViewportSize(desktop);
  await open(page, '/admin');
  await page.getByRole('link', { name: /розбіжн.* у? ?в? ?сумах/ }).click(longTimeout);
  await expect(page).toHaveURL(/\/admin\/counters$/);
  const row = page
    .getByRole('region', { name: 'e-scv-05' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: String(operation), exact: true }) });
  await expect(row).toContainText('900,00', longTimeout);
  await row.getByRole('button', { name: uk('adminOperations:forceEnergy') }).click();
  const popup = page.getByRole('dialog');
  await popup.getByLabel(uk('admin:energy')).fill('0,6');
  await expect(popup.getByText(/900,00 → 0,60/)).toBeVisible(longTimeout);
  await popup.getByText('Лічильник показав неправильно').click();
  await popup.getByRole('button', { name: uk('admin:do') }).click(longTimeout);
  await expect(row).toHaveCount(0, longTimeout);
});
