import { checkAccessibility } from '../support/accessibility.ts';
import { newDriver } from '../support/driver.ts';
import { expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('a driver adds a car, uses it, edits it and deletes it [CAR-01] [CAR-02] [CAR-03] [CAR-05] [CAR-06]', async ({
  page,
  signIn,
  site,
  address,
}) => {
  await signIn(await newDriver({ site, address }));
  await open(page, '/cars');
  const active = page.getByRole('main').getByRole('button', { pressed: true });
  await expect(active).toContainText('Леаф');

  await page.getByRole('link', { name: 'Додати авто' }).click();
  await page.getByLabel('Назва').fill('Зоя');
  await page.getByLabel('Батарея').fill('19');
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page.getByText('Введіть число від 20 до 200 або залиште поле порожнім')).toBeVisible();
  await page.getByLabel('Батарея').fill('52,5');
  await page.getByLabel('Номерний знак').fill('AE 1234 KA');
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page).toHaveURL(/\/cars$/);
  await page.getByRole('button', { name: 'Зоя' }).click();
  await expect(active).toContainText('Зоя');
  await expect(active).toContainText(/52,5\u00a0кВт·год.*AE 1234 KA/);

  await page.getByRole('link', { name: 'Редагувати «Зоя»' }).click();
  await page.getByLabel('Марка').fill('Renault');
  await page.getByLabel('Батарея').fill('301');
  await expect(page.getByLabel('Батарея')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Батарея').fill('');
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(active).toContainText(/Renault.*AE 1234 KA/);
  await page.reload();
  await expect(active).toContainText(/Renault.*AE 1234 KA/);

  await page.getByRole('link', { name: 'Редагувати «Зоя»' }).click();
  await page.getByRole('button', { name: 'Видалити авто' }).click();
  const question = page.getByRole('dialog', { name: 'Видалити «Зоя»?' });
  await expect(question).toContainText('Активним стане «Леаф».');
  await question.getByRole('button', { name: 'Видалити авто' }).click();
  await expect(page).toHaveURL(/\/cars$/);
  await expect(active).toContainText('Леаф');
  await expect(page.getByRole('button', { name: 'Зоя' })).toHaveCount(0);
});

test('the list of cars, a new car with errors and an existing car: axe finds nothing in either theme, and they fit 320 px in every language', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await open(page, '/cars');
  await expect(page.getByRole('heading', { name: 'Мої авто' })).toBeVisible();
  await checkAccessibility(page);
  await fitsNarrowPhone(page);
  await page.getByRole('link', { name: 'Додати авто' }).click();
  await expect(page.getByRole('heading', { name: 'Нове авто' })).toBeVisible();
  await fitsNarrowPhone(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Зберегти' }).click();
  await expect(page.getByText('Назва авто: від 1 до 20 символів і до 4 слів')).toBeVisible();
  await checkAccessibility(page);
  await page.goBack();
  await page
    .getByRole('link', { name: /^Редагувати/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Видалити авто' })).toBeVisible();
  await checkAccessibility(page);
});
