import type { Page } from '@playwright/test';
import { charger } from '../../e2e/support/charger.ts';

const longTimeout = { timeout: 180_000 };
/** Enough energy for realistic numbers in the pictures. */
const worthSeeingKwh = 12;

/** Waits until the station reports the car. */
export async function plugIn(page: Page, station: string): Promise<void> {
  await charger.plug(station);
  await page.goto(`/station/${station}`);
  await page.getByText('Готовий до зарядки').waitFor(longTimeout);
}

/** Pays by card for a charge and waits until it has visible progress. */
export async function pay(page: Page, station: string): Promise<void> {
  await plugIn(page, station);
  await page.getByRole('button', { name: /CCS2/ }).first().click(longTimeout);
  await page.getByRole('button', { name: /^Картка/ }).click(longTimeout);
  await page.getByRole('textbox').fill('80');
  await page.getByRole('button', { name: /^Сплатити/ }).click();
  await page.getByTestId('bank-pay').click(longTimeout);
  await page.waitForURL(/\/status\/\d+$/, longTimeout);
  const energy = page.getByTestId('energy');
  while (Number.parseFloat(((await energy.textContent(longTimeout)) ?? '0').replace(',', '.')) < worthSeeingKwh) {
    await page.waitForTimeout(1000);
  }
}

/** Ends the charge that `pay` started and returns its page. */
export async function stopCharging(page: Page): Promise<string> {
  await page.goto('/active');
  await page.getByRole('link', { name: /F1405/ }).first().click(longTimeout);
  await page.getByRole('button', { name: /^Зупинити/ }).click(longTimeout);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/ })
    .click();
  await page.getByRole('heading', { name: 'Зарядку завершено' }).waitFor(longTimeout);
  return new URL(page.url()).pathname;
}

/** A driver who has not given feedback is asked on every visit. */
export const waitForFeedback = (page: Page) => page.getByRole('dialog').waitFor(longTimeout);

export async function skipFeedback(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button').last().click(longTimeout);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
