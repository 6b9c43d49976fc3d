import type { Page } from '@playwright/test';
import { expectAnnounced } from '../support/announced.ts';
import { clientOf } from '../support/client.ts';
import { iconSizes, openMap, withProviders } from '../support/map.ts';
import { expect, open, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** This driver has a year of charges, and the tests here change nothing. */
const driver = '+380500000006';
const uk = texts('uk');

// Seconds on a quiet machine.
test.setTimeout(180_000);
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** The head of a page below another one: its name between the way back and the menu, at the same place everywhere. */
async function expectHead(page: Page, title: string): Promise<void> {
  await expectAnnounced(page, title);
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: uk('generic:back') })).toHaveAttribute('href', '/account');
  await expect(main.getByRole('button', { name: 'Відкрити меню' })).toBeVisible();
  const box = await main.getByRole('heading', { level: 1 }).boundingBox();
  expect([title, box?.x, (box?.y ?? 0) + (box?.height ?? 0) / 2]).toEqual([title, 58, 32]);
}

test.describe('a driver who reads an old charge', () => {
  test.use({ expectedConsoleError: /net::ERR_INTERNET_DISCONNECTED/ });

  test('finds street, car and payment, is asked for nothing, and gets the receipt once the network is back (D10, D22, C11)', async ({
    page,
    context,
    signIn,
  }) => {
    await page.clock.install();
    const questions: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/feedback')) questions.push(request.url());
    });
    await signIn(driver);
    await open(page, '/history?range=year');
    const main = page.getByRole('main');
    const rows = main.getByRole('link', { name: /F\d{4}/ });
    await expect(rows.nth(20)).toBeAttached();
    const id = await oldUnrated(page);
    const row = main.locator(`a[href="/status/${id}"]`);
    await expect(row).toContainText(/(вул|просп|шосе|бульв|наб).+, \d+, .+F\d{4} · \d\d:\d\d, .+Іонік · баланс/);
    const [station = ''] = (await row.textContent())?.match(/F\d{4}/) ?? [];
    await row.click();

    await expect(main.getByRole('heading', { name: uk('status:finished') })).toBeVisible();
    await expect(main.locator('section', { hasText: uk('status:finished') }).first()).toContainText(
      /\d+ \S+.+ \d\d:\d\d/,
    );
    await expect(main).not.toContainText('кабель');
    await expect(main.getByRole('link', { name: station })).toHaveAttribute('href', `/station/${station}`);
    await expect(main.getByRole('link', { name: 'Іонік' })).toHaveAttribute('href', '/cars');
    await expect(main.getByLabel(uk('status:info'))).toContainText(/Ціна\d+,\d\d ₴\/кВт·год/);
    await expect(main.getByLabel(uk('status:sums'))).toContainText('Списано з балансу');
    // A charge of today would be asked about after two seconds.
    await page.clock.fastForward('00:05');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(questions).toEqual([]);

    await context.setOffline(true);
    const receipt = main.getByRole('button', { name: uk('status:receipt') });
    await receipt.click();
    const popup = page.getByRole('dialog', { name: uk('generic:noConnectionText') });
    await expect(popup).toBeVisible();
    await context.setOffline(false);
    await expect(popup).toHaveCount(0);
    const download = page.waitForEvent('download');
    await receipt.click();
    expect((await download).suggestedFilename()).toBe(`invoice-fpay-${id}.pdf`);

    // The same charges are in the balance, and each leads to its page.
    await page.goBack();
    await main.getByRole('link', { name: uk('generic:back') }).click();
    await main.getByRole('link', { name: 'Поповнити' }).click();
    const paid = main.getByRole('link', { name: /Зарядка на F\d{4}/ }).first();
    const [charge = ''] = (await paid.textContent())?.match(/F\d{4}/) ?? [];
    await paid.click();
    await expect(page).toHaveURL(/\/status\/\d+$/);
    await expect(main.getByRole('link', { name: charge })).toBeVisible();
  });
});

/** The driver's oldest charge of this year that was not rated. */
async function oldUnrated(page: Page): Promise<number> {
  const charges: { id: number }[] = await (await page.request.get('/api/user/history/year')).json();
  for (const { id } of charges.reverse()) {
    const { rating, status } = await (await page.request.get(`/api/operation/${id}`)).json();
    if (rating === null && status === 'finished') return id;
  }
  throw new Error('every charge of the demo is rated');
}

test('every page below the account has the same head and, while it is empty, a drawing and a next step (D16, C15, C16, C18)', async ({
  page,
  signIn,
}) => {
  // Staff with all pages of the account, and without a car, a card or a charge.
  await signIn(people.analytic);
  await open(page, '/account');
  const main = page.getByRole('main');
  const go = async (name: string, title = name) => {
    await main.getByRole('link', { name }).first().click();
    await expectHead(page, title);
  };
  const back = () => main.getByRole('link', { name: uk('generic:back') }).click();
  const drawing = main.locator('svg[width="64"], svg[width="40"]');

  for (const [name, nothing] of [
    ['Активні сесії', uk('status:activeEmpty')],
    ['Історія', uk('history:empty')],
  ] as const) {
    await go(name);
    await expect(main.getByRole('heading', { name: nothing })).toBeVisible();
    await expect(drawing).toBeVisible();
    await expect(main.getByRole('link', { name: 'Сканувати QR' })).toHaveAttribute('href', '/qr');
    await back();
  }
  await go('Статистика');
  await expect(main.getByText(uk('stats:empty'))).toBeVisible();
  await expect(drawing).toBeVisible();
  await expect(main.getByRole('table')).toHaveCount(0);
  await back();
  await go('RFID-картки');
  await expect(main.getByText(uk('rfid:noCards')).locator('.lucide-nfc')).toBeVisible();
  await expect(main.getByRole('button', { name: uk('rfid:add') })).toBeVisible();
  await back();
  await go('Поповнити', 'Баланс');
  await expect(drawing).toBeVisible();
  await back();
  await go('Мої авто');
  await back();

  await go('Редагувати профіль', 'Мій профіль');
  const avatar = main.getByRole('link', { name: 'Змінити аватар' });
  await expect(avatar.locator('.lucide-pencil')).toBeVisible();
  await expect(avatar.locator('.lucide-camera')).toHaveCount(0);
  await main.getByRole('button', { name: 'Відкрити меню' }).click();
  const instagram = page.getByRole('dialog').getByRole('link', { name: 'Instagram', exact: true });
  await expect(instagram.locator('svg > rect')).toBeVisible();
  await expect(instagram.locator('.lucide-camera')).toHaveCount(0);
  await page.goBack();

  await page.evaluate("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))");
  await expectAnnounced(page, 'Такої сторінки немає. Перевірте адресу.', '404');
  await expect(main.locator('.lucide-map-pin-off')).toBeVisible();
  await main.getByRole('link', { name: 'До акаунта' }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test('on the map icons stand apart, a search in vain names the next step, and a discount is beside the usual price (D28, C2, C15)', async ({
  page,
  site,
}) => {
  const staff = await clientOf(site, people.superAdmin);
  const tariffs: { id: number; name: string }[] = (await staff.get('/api/admin/network/tariffs')).body;
  const { id } = tariffs.find(({ name }) => name === 'autumn') ?? { id: 0 };
  const terms = { price: 16_00, hours: null, idle: null, starts_at: null };
  const discount = { from: '01-01', to: '12-31', percent: 15, text: null };
  const changed = await staff.mutate('POST', `/api/admin/network/tariffs/${id}/changes`, { ...terms, discount });
  expect(changed.status).toBe(200);

  const base = { kind: 'offline', url: null, attribution: '', maxZoom: 17, tileSize: 256 };
  await withProviders(page, { base, satellite: null });
  await openMap(page);
  // At the default zoom most icons of the city would touch another one.
  await expect.poll(async () => (await iconSizes(page)).length).toBeGreaterThan(10);
  const sizes = await iconSizes(page);
  expect(Math.max(...sizes.flat()), JSON.stringify(sizes)).toBeLessThanOrEqual(46);

  await page.getByRole('button', { name: 'Станція або адреса' }).click();
  const search = page.getByRole('textbox', { name: 'Станція або адреса' });
  await search.fill('F99999');
  await expect(page.getByRole('status').filter({ hasText: uk('map:noStations') })).toBeVisible();
  await expect(page.locator('.lucide-search-x')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Сканувати QR' })).toHaveAttribute('href', '/qr');
  await page
    .getByRole('button', { name: uk('map:clear') })
    .last()
    .click();
  await expect(search).toHaveValue('');
  await search.fill('F1403');
  await page.getByRole('button', { name: /^F1403/ }).click();
  const connector = page.getByRole('dialog').getByRole('listitem', { name: 'F1403' }).getByRole('listitem').first();
  await expect(connector).toContainText(/−15%.*Звичайна ціна 16,0013,60₴\/кВт·год/);
  await expect(connector.locator('s')).toHaveText('16,00');
});
