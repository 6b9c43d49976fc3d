import type { Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { openStatus } from '../../e2e/support/driver-screens.ts';
import { press } from './press.ts';

/** States that a driver seldom meets, and how a picture of each is prepared. */

const otherDevices = [
  {
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1',
    'x-forwarded-for': '93.74.12.9',
  },
  {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Gecko/20100101 Firefox/145.0',
    'x-forwarded-for': '2a02:2378:11a:77::1',
  },
];

/** The same user signs in on a phone and on a computer. */
export async function signInElsewhere(phone_number: string): Promise<void> {
  for (const headers of otherDevices) {
    const client = createTestClient(process.env.FPAY_URL ?? '');
    await client.mutate('POST', '/api/login', { phone_number, password: demoPassword }, { headers });
  }
}

export async function showDevices(page: Page): Promise<void> {
  await page.getByRole('listitem').filter({ hasText: '93.74.x.x' }).first().waitFor();
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
}

/** The form is filled in; the recipient's name is to be confirmed. */
export async function confirmGift(page: Page): Promise<void> {
  await press(page, 'balance:gift');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox').first().fill('+380500000002');
  await sheet.getByRole('textbox').last().fill('150');
  await sheet.getByRole('button').last().click();
  await sheet.getByRole('status').waitFor();
}

/** The tariff changed while the driver typed the amount. */
export async function askForNewPrice(page: Page): Promise<void> {
  await page.route('**/api/payment/new', (route) =>
    route.fulfill({
      status: 409,
      json: { message: 'The price has changed', code: 'price_changed', price: 16_90 },
    }),
  );
  await page.locator('[type=submit]').click();
  await page.locator('form').getByRole('status').filter({ hasText: /\S/ }).first().waitFor();
}

/** The stop was requested and the charger does not obey. */
export function ignoreStop(page: Page): Promise<void> {
  return openStatus(page, { status: 'finishing', stop_requested: true, stop_ignored: true });
}
