import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** No other test uses this operator's station or cards. */
const operator = '+380500000012';
const station = 'F1061';
const newCard = () => `04${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`;

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('the cards are for staff: a driver gets the 404 page [GUARD-11]', async ({ page, signIn }) => {
  await signIn(people.driver);
  await open(page, '/rfid');
  await expect(page).toHaveURL(/\/404$/);
  await signIn(operator);
  await open(page, '/rfid');
  await expect(page).toHaveURL(/\/rfid$/);
  await expect(page.getByRole('heading', { name: 'RFID-картки' })).toBeVisible();
});

test.describe('a card', () => {
  test.use({ expectedConsoleError: /status of (404|409) .*\/api\/user\/rfid\/requests$/ });

  test('is bound at a station by a tap, shown masked, and deleted [RFID-01] [RFID-03] [RFID-04] [RFID-05] [RFID-11]', async ({
    page,
    signIn,
  }) => {
    test.setTimeout(120_000);
    await signIn(operator);
    await open(page, '/rfid');
    const add = page.getByRole('dialog', { name: 'Нова картка' });
    const start = add.getByRole('button', { name: 'Почати' });
    await page.getByRole('button', { name: 'Додати картку' }).click();
    await add.getByLabel('Номер станції').fill('F9999');
    await start.click();
    await expect(add.getByText('Станцію не знайдено')).toBeVisible();
    await checkAccessibility(page);
    await add.getByLabel('Номер станції').fill(station.toLowerCase());
    await start.click();
    await expect(add).toHaveCount(0);
    const requests = page.getByRole('list', { name: 'Картки, що очікують' });
    await expect(requests).toContainText(`Станція ${station}`);
    await checkAccessibility(page);

    const card = newCard();
    await charger.tap(station, card);
    const outcome = page.getByRole('dialog', { name: texts('uk')('generic:rfidBound') });
    await outcome.getByRole('button', { name: 'OK' }).click();
    await expect(requests).toHaveCount(0);
    const masked = `•••• ${card.slice(-4)}`;
    await expect(page.getByRole('list', { name: 'Картки' })).toContainText(masked);
    expect(await page.content()).not.toContain(card);

    await page.getByRole('button', { name: `Видалити картку ${masked}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Видалити' }).click();
    await expect(page.getByText(masked)).toHaveCount(0);

    await page.getByRole('button', { name: 'Додати картку' }).click();
    await add.getByLabel('Номер станції').fill(station);
    await start.click();
    await page.getByRole('button', { name: `Скасувати запит на станції ${station}` }).click();
    await expect(page.getByText('Немає карток, що очікують')).toBeVisible();
  });
});

test('the cards fit 320 px in every language', async ({ page, signIn }) => {
  await signIn(operator);
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, '/rfid');
  await page.getByRole('main').getByRole('button').last().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await fitsNarrowPhone(page);
});
