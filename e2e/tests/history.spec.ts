import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { clientOf } from '../support/client.ts';
import { expect, fitsNarrowPhone, open, people, setLanguage, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** This driver has a year of charges, and no other test charges as this driver. */
const driver = '+380500000006';
const station = 'F1068';
const longTimeout = { timeout: 60_000 };
const uk = texts('uk');

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** A short charge from the balance, by HTTP only. */
async function charge(site: string): Promise<{ id: number; energy: number }> {
  const client = await clientOf(site, driver);
  await charger.plug(station);
  const [connector] = (await client.get(`/api/station/${station}`)).body.connectors;
  const payment = { amount: '2', payment_type: 'balance', target: 'kwh', connector: connector.id, ref_id: null };
  let page = '';
  // The start is refused until the station has reported the cable.
  const pay = async () => {
    page = (await client.mutate('POST', '/api/payment/new', payment)).body.page_url ?? '';
    return page;
  };
  await expect.poll(pay, longTimeout).toMatch(/^s:\d+$/);
  const id = Number(page.slice(2));
  const operation = async () => (await client.get(`/api/operation/${id}`)).body;
  await expect.poll(async () => (await operation()).energy, { timeout: 120_000 }).toBeGreaterThan(100);
  await client.mutate('POST', `/api/operation/stop/${id}`, {});
  await expect.poll(async () => (await operation()).status, longTimeout).toBe('finished');
  await charger.unplug(station);
  return { id, energy: (await operation()).energy };
}

/** 950 Wh are rounded to 1,0 kWh. */
const bigNumber = (page: Page) => page.getByText(uk('stats:charged')).locator('..');

/** Staff reverse the payment of the driver's last charge from the balance. */
async function reverseLastPayment(site: string): Promise<void> {
  const [staff, own] = [await clientOf(site, people.superAdmin), await clientOf(site, driver)];
  const { id: user } = (await own.get('/api/user')).body;
  const { body } = await staff.get(`/api/admin/users/${user}`);
  const payment = body.balance_transactions.find(({ type }: { type: string }) => type === 'operation_payment');
  const order = { id: payment.id, cancel_payment: false, allow_partial: false };
  const answer = await staff.mutate('DELETE', '/api/admin/users/balance/transactions', order);
  expect(answer.status).toBe(200);
}

/** What staff have returned, on the page of the charge and in the history. */
async function readsReturn(page: Page, id: number): Promise<void> {
  await open(page, `/status/${id}`);
  await page.getByRole('button', { name: uk('status:skip') }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: /^Повернули \d+,\d\d\s₴$/ })).toBeVisible();
  await expect(main.getByText(uk('status:backToBalance'))).toBeVisible();
  await expect(main.getByLabel(uk('status:sums'))).toContainText(/Повернено на баланс−\d+,\d\d\s₴Підсумок0,00\s₴/);
  await checkAccessibility(page, { colours: true });
  await fitsNarrowPhone(page);
  await open(page, '/history');
  const row = main.getByRole('link').filter({ hasText: /Повернули/ });
  await expect(row).toHaveAttribute('href', `/status/${id}`);
  await expect(row.locator('s')).toContainText('було');
  await expect(main.getByText(/^За цей період повернули/)).toBeVisible();
}

test('a charge is in the history with its receipt, and in the statistics of the day [HIST-01] [STAT-01]', async ({
  page,
  site,
  signIn,
}) => {
  test.setTimeout(240_000);
  const { id, energy } = await charge(site);
  await signIn(driver);
  await open(page, '/history');
  const today = page.getByRole('list', { name: uk('generic:today') });
  const row = today.getByRole('link').first();
  await expect(row).toHaveAttribute('href', `/status/${id}`);
  await expect(row).toContainText(station);
  await expect(row).toContainText('Іонік');
  await expect(row).toContainText(`${(Math.round(energy / 10) / 100).toFixed(2).replace('.', ',')}\u00a0кВт·год`);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `Квитанція № ${id}` }).click();
  expect((await download).suggestedFilename()).toBe(`invoice-fpay-${id}.pdf`);

  await row.click();
  await expect(page).toHaveURL(new RegExp(`/status/${id}$`));
  await page.goBack();
  await page.getByText(uk('history:byYear')).click();
  await expect(page).toHaveURL(/range=year/);
  await expect(
    page
      .getByRole('link')
      .filter({ hasText: /F\d{4}/ })
      .nth(20),
  ).toBeAttached();

  await open(page, '/stats');
  await expect(bigNumber(page)).toContainText(/\d+,\d/);
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'Europe/Kyiv' }).format(new Date());
  const index = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday);
  const bars = page.getByRole('table').getByRole('row');
  await expect(bars).toHaveCount(7);
  const value = await bars.nth(index).getByRole('cell').textContent();
  expect(Number(value?.replace(',', '.'))).toBeGreaterThanOrEqual(Math.floor(energy / 100) / 10);

  await reverseLastPayment(site);
  await readsReturn(page, id);
});

for (const language of ['en', 'pl'] as const) {
  test(`history and statistics are in ${language}, and the car filters both [HIST-02] [HIST-03] [STAT-06]`, async ({
    page,
    signIn,
  }) => {
    const say = texts(language);
    await setLanguage(page, language);
    await signIn(driver);
    await open(page, '/history?range=lastMonth');
    await expect(page.getByRole('heading', { name: say('history:title') })).toBeVisible();
    await expect(page.getByText(say('history:lastMonth'))).toBeVisible();
    await page.getByRole('combobox', { name: say('history:car') }).selectOption('Іонік');
    await expect(page).toHaveURL(/range=lastMonth&car=\d+/);
    await open(page, '/stats?range=year');
    await expect(page.getByRole('table', { name: say('stats:perMonth') }).getByRole('row')).toHaveCount(12);
    await page.getByRole('button', { name: say('stats:whatIsDebt') }).click();
    await expect(page.getByRole('dialog').getByText(say('stats:debtText'))).toBeVisible();
  });
}

for (const path of ['/history', '/stats']) {
  test(`${path}: axe finds nothing in either theme, and nothing scrolls sideways at 320 px`, async ({
    page,
    signIn,
  }) => {
    test.setTimeout(120_000);
    await signIn(driver);
    const settled = async (search: string) => {
      await open(page, path + search);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy]')).toHaveCount(0);
    };
    await settled('?range=lastYear');
    await checkAccessibility(page, { colours: true });
    await page.setViewportSize({ width: 320, height: 640 });
    await settled('?range=month');
    await fitsNarrowPhone(page);
  });
}
