import type { Page } from '@playwright/test';
import { charger } from '../../e2e/support/charger.ts';

const patience = { timeout: 180_000 };
/** So that the numbers on the pictures are worth looking at. */
const worthSeeingKwh = 12;

/** Until the station knows of the car. */
export async function plugIn(page: Page, station: string): Promise<void> {
  await charger.plug(station);
  await page.goto(`/station/${station}`);
  await page.getByText('Готовий').waitFor(patience);
}

/** Pays by card for a charge and waits until there is something to see of it. */
export async function pay(page: Page, station: string): Promise<void> {
  await plugIn(page, station);
  await page.getByRole('button', { name: /CCS2/ }).first().click(patience);
  await page.getByRole('button', { name: /^Картка/ }).click(patience);
  await page.getByRole('textbox').fill('80');
  await page.getByRole('button', { name: /^Сплатити/ }).click();
  await page.getByTestId('bank-pay').click(patience);
  await page.waitForURL(/\/status\/\d+$/, patience);
  const energy = page.getByTestId('energy');
  while (Number.parseFloat(((await energy.textContent(patience)) ?? '0').replace(',', '.')) < worthSeeingKwh) {
    await page.waitForTimeout(1000);
  }
}

/** Ends the charge that `pay` began; its page is the screen. */
export async function stopCharging(page: Page): Promise<string> {
  await page.goto('/active');
  await page.getByRole('link', { name: /F1405/ }).first().click(patience);
  await page.getByRole('button', { name: /^Завершити/ }).click(patience);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Завершити$/ })
    .click();
  await page.getByRole('heading', { name: 'Зарядку завершено' }).waitFor(patience);
  return new URL(page.url()).pathname;
}

/** Who has not been asked how it was is asked on every visit. */
export const waitForFeedback = (page: Page) => page.getByRole('dialog').waitFor(patience);

export async function skipFeedback(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button').last().click(patience);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
