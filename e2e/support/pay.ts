import type { Page } from '@playwright/test';
import { charger } from './charger.ts';
import { expect } from './test.ts';
import { texts } from './texts.ts';

/** The machine may be slow. */
const longTimeout = { timeout: 60_000 };
const uk = texts('uk');

interface Way {
  station: string;
  /** The name of the connector, or a part of it. */
  connector: RegExp;
  method: 'card' | 'balance';
}

/** From the station's page over connector and payment to the amount. */
export async function goToAmount(page: Page, { station, connector, method }: Way): Promise<void> {
  await page.goto(`/station/${station}`);
  await page.getByRole('button', { name: connector }).first().click(longTimeout);
  await page.getByRole('button', { name: uk(`payment:${method}`) }).click(longTimeout);
}

/** The plugged-in connector of a scanned station is chosen already, and a guest pays by card. */
export async function goToAmountAsGuest(page: Page, station: string): Promise<void> {
  await page.goto(`/station/${station}`);
  await page.getByRole('button', { name: uk('auth:chargeAsGuest') }).click(longTimeout);
}

/** Presses the button that pays the amount. */
export async function pressPay(page: Page): Promise<void> {
  await page.getByRole('button', { name: uk('payment:pay') }).click(longTimeout);
}

/** From the amount to the bank's page, which is shown but not paid. Returns its button. */
export async function goToBank(page: Page) {
  await pressPay(page);
  const bankPay = page.getByTestId('bank-pay');
  await expect(bankPay).toBeVisible(longTimeout);
  return bankPay;
}

/** Pays the amount at the bank's page. */
export async function payAtBank(page: Page): Promise<void> {
  await (await goToBank(page)).click();
}

/** Charges by card until the driver stops it, and leaves the browser signed out. */
export async function chargeByCard(page: Page, station: string): Promise<number> {
  await charger.plug(station);
  await goToAmount(page, { station, connector: /CCS2/, method: 'card' });
  await payAtBank(page);
  await expect(page).toHaveURL(/\/status\/\d+$/, longTimeout);
  await expect(page.getByText(/0,[1-9]|[1-9],\d/).first()).toBeVisible(longTimeout);
  await page.getByRole('button', { name: uk('status:finish') }).click(longTimeout);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/i })
    .click();
  await expect(page.getByRole('heading', { name: uk('status:finished') })).toBeVisible(longTimeout);
  const operation = Number(page.url().split('/').at(-1));
  await charger.unplug(station);
  // The page of the charge asks for it again and again; another user must not find it open.
  await page.goto('about:blank');
  return operation;
}
