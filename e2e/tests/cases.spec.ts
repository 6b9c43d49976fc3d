import { checkAccessibility } from '../support/accessibility.ts';
import { clientOf } from '../support/client.ts';
import { newDriver } from '../support/driver.ts';
import { chargeByCard } from '../support/pay.ts';
import { picture } from '../support/picture.ts';
import { expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const longTimeout = { timeout: 60_000 };
const uk = texts('uk');
const desktop = { width: 1440, height: 900 };

test('a driver reports a charge, staff answer, refund from inside the case and close it', async ({
  page,
  browser,
  signIn,
  site,
  address,
}) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(await newDriver({ site, address }));
  const operation = await chargeByCard(page, 'F1039');

  // The driver writes behind the support button of the charge.
  await open(page, `/status/${operation}`);
  const skip = page.getByRole('button', { name: uk('status:skip') });
  await skip.click(longTimeout);
  await page.getByRole('link', { name: uk('status:support') }).click(longTimeout);
  await expect(page).toHaveURL(new RegExp(`/support\\?charge=${operation}$`));
  await expect(page.getByRole('link', { name: uk('support:call') })).toHaveAttribute('href', /^tel:\+/);
  await checkAccessibility(page, { colours: true });
  await page.getByLabel(uk('support:message')).fill('Екран станції погас, кабель не виймається');
  await page.getByRole('button', { name: uk('support:send') }).click();
  await expect(page).toHaveURL(/\/support\/\d+$/, longTimeout);
  const id = Number(page.url().split('/').at(-1));
  await expect(page.getByText('Екран станції погас, кабель не виймається')).toBeVisible(longTimeout);

  // It is a new case of the queue, which Enter opens.
  const office = await browser.newContext({ baseURL: site, extraHTTPHeaders: { 'x-forwarded-for': address } });
  const staff = await office.newPage();
  await staff.emulateMedia({ reducedMotion: 'reduce' });
  await staff.setViewportSize(desktop);
  await office.addInitScript("if (location.origin !== 'null') localStorage['fpay.language'] ??= 'uk'");
  const { jar } = await clientOf(site, people.superAdmin, address);
  await office.addCookies(Array.from(jar, ([name, value]) => ({ name, value, url: site })));
  await open(staff, '/admin/cases?view=new');
  const row = staff.locator(`a[data-row][href^="/admin/cases/${id}?"]`);
  await expect(row).toContainText('Екран станції погас', longTimeout);
  await staff.keyboard.press('j');
  await expect(staff.locator('[data-row]:focus')).toBeVisible();
  await row.focus();
  await staff.keyboard.press('Enter');
  await expect(staff).toHaveURL(new RegExp(`/admin/cases/${id}\\?view=new$`));
  await staff.getByLabel(uk('adminCases:answerLabel')).fill('Бачимо. Повертаємо гроші на картку.');
  await staff.getByRole('button', { name: uk('adminCases:send') }).click();
  const conversation = staff.getByRole('list', { name: uk('adminCases:conversation') });
  await expect(conversation).toContainText('Бачимо. Повертаємо гроші на картку.', longTimeout);
  await expect(conversation).toContainText(/SMS (у черзі|прийнято)/);
  await checkAccessibility(staff, { colours: true });
  await picture(staff, 'cases');
  await picture(page, 'support-thread');
  await staff.setViewportSize(desktop);

  // The driver sees the answer in the open thread and writes again; staff see both without a reload.
  await expect(page.getByText('Бачимо. Повертаємо гроші на картку.')).toBeVisible(longTimeout);
  await expect(conversation).toContainText(/· прочитано ·/, longTimeout);
  await page.getByLabel(uk('support:message')).fill('Кабель вийняв. А гроші?');
  await page.getByRole('button', { name: uk('support:send') }).click();
  await expect(conversation).toContainText('Кабель вийняв. А гроші?', longTimeout);
  await checkAccessibility(page);
  await fitsNarrowPhone(page);

  // The refund is the action of the operation, with its preview.
  await staff.getByRole('button', { name: uk('adminCases:refund') }).click(longTimeout);
  const popup = staff.getByRole('dialog');
  await expect(popup.getByText(/Повернемо на картку/)).toBeVisible(longTimeout);
  await popup.getByText('Зарядка обірвалася').click();
  await popup.getByRole('button', { name: uk('admin:do') }).click();
  await expect(popup.getByRole('status')).toHaveText(/Готово/, longTimeout);
  await popup.getByRole('button', { name: 'OK' }).click();
  await expect(staff.getByText(/^Повернення /)).toBeVisible(longTimeout);

  await staff.getByRole('button', { name: uk('adminCases:close'), exact: true }).click();
  await expect(staff.getByText(uk('adminCases:stateClosed'), { exact: true }).first()).toBeVisible(longTimeout);
  await expect(page.getByText(uk('support:closedText'))).toBeVisible(longTimeout);
  await fitsNarrowPhone(staff);
  await checkAccessibility(staff);
  await office.close();
});
