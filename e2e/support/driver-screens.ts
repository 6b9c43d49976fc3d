import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** As the server tells of an operation; only what a screen is about needs to be said. */
const anOperation = {
  id: 480215,
  status: 'ongoing',
  number: 'F1400',
  address: 'Sicheslavska Naberezhna St, 33, Dnipro',
  address_uk: 'вул. Січеславська Набережна, 33, Дніпро',
  connector_type: 'ccstype2',
  connector_number: '1',
  connector_power: 60_000,
  amount: 362_50,
  payment_type: 'bank',
  price: 14_50,
  energy_limit: 25_000,
  total: 267_09,
  real_total: 267_09,
  percentage: 74,
  energy: 18_420,
  power: 47_300,
  current: 118,
  soc: 62,
  time_left: 480,
  start_attempt: 1,
  max_attempts: 3,
  hold_status: 'hold',
  payment_status: null,
  rating: null,
  rating_comment: null,
  stop_requested: false,
  stop_ignored: false,
  is_online: true,
  page_url: null,
  fiscal_url: null,
  failure_reason: null,
  created_at: '2026-11-15T04:58:00.000Z',
  started_at: '2026-11-15T05:00:00.000Z',
  finished_at: null,
};

/** The status page of an operation that is at this point, whatever it takes to get there. */
export async function openStatus(page: Page, rest: Partial<Record<keyof typeof anOperation, unknown>>): Promise<void> {
  const operation = { ...anOperation, ...rest };
  await page.route(`**/api/operation/${operation.id}`, (route) => route.fulfill({ json: operation }));
  await goInside(page, `/status/${operation.id}`);
  await expect(page.getByRole('status').first()).toBeVisible();
}

/** The page of a station whose first connector has a car in it, while the others are free. */
export async function openStation(page: Page, number: string): Promise<void> {
  const withCar = (connectors: { api_address: string }[]) =>
    connectors.map((connector) => ({ ...connector, status: connector.api_address === '1' ? 'ready' : 'free' }));
  await page.route(`**/api/station/${number}`, async (route) => {
    const station = await (await route.fetch()).json();
    await route.fulfill({ json: { ...station, connectors: withCar(station.connectors) } });
  });
  await page.route(`**/api/connectors/${number}`, async (route) => {
    await route.fulfill({ json: withCar(await (await route.fetch()).json()) });
  });
  await goInside(page, `/station/${number}`);
  await expect(page.getByRole('listitem').getByRole('button').first()).toBeVisible();
}

/** From another page of the app: the first one comes with its data in it, which no route of a test can change. */
async function goInside(page: Page, path: string): Promise<void> {
  await page.goto('/debug');
  await expect(page.getByRole('main')).toBeAttached();
  await page.evaluate(`history.pushState(null, '', '${path}')`);
  await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))");
}

/** On from one step of the station to the next. */
export const steps = {
  connector: (page: Page) => page.getByRole('listitem').getByRole('button').first().click(),
  payment: (page: Page, method: 'card' | 'balance') =>
    page
      .getByRole('main')
      .getByRole('button')
      .nth(method === 'card' ? 0 : 1)
      .click(),
};
