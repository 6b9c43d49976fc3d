import type { Page } from '@playwright/test';
import { expect, navigateInApp, open } from './test.ts';

/** An operation as the server returns it; each test overrides only the fields that its screen shows. */
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
  read_at: '2026-11-15T05:40:57.000Z',
  stale_after: 30,
  silent_after: 60,
  server_time: '2026-11-15T05:41:00.000Z',
  car: 'Nissan Leaf',
  card: '*4821',
  is_overcharged: false,
  decline_reason: null,
  hold_status: 'hold',
  payment_status: null,
  rating: null,
  rating_comment: null,
  stop_requested: false,
  stop_ignored: false,
  is_online: true,
  page_url: null,
  fiscal_url: null,
  has_receipt: true,
  failure_reason: null,
  created_at: '2026-11-15T04:58:00.000Z',
  started_at: '2026-11-15T05:00:00.000Z',
  finished_at: null,
};

const aCurve = {
  began_at: '2026-11-15T05:00:00.000Z',
  seconds: [0, 300, 600, 1200, 1800, 2280],
  power: [4_000, 18_000, 27_500, 38_200, 44_800, 47_300],
  soc_first: 18,
  soc_last: 62,
};

type Changes = Partial<Record<keyof typeof anOperation, unknown>>;

/** The server's answers about an operation with these fields, from now on. */
export async function serveOperation(page: Page, rest: Changes): Promise<void> {
  const operation = { ...anOperation, ...rest };
  await page.route(`**/api/operation/${operation.id}`, (route) => route.fulfill({ json: operation }));
  await page.route(`**/api/operation/${operation.id}/curve`, (route) => route.fulfill({ json: aCurve }));
}

/** How many operations a page has shown. */
const shown = new WeakMap<Page, number>();

/** What the console says of each of them, because they exist only in the test, and the server has no group for their messages. */
export const noMessages = /404 \(Not Found\) .*\/api\/negotiate\?operation=4802\d\d$/;

/** Opens the status page of an operation with these fields. The next one has another number, because the app remembers the last. */
export async function openStatus(page: Page, rest: Changes): Promise<void> {
  const before = shown.get(page) ?? 0;
  shown.set(page, before + 1);
  const id = anOperation.id + before;
  await serveOperation(page, { id, ...rest });
  await openAfterFirstPage(page, `/status/${id}`);
  await expect(page.locator('main h1')).toBeVisible();
}

/** Opens the page of a station where a car is plugged into the first connector and the others are free. */
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
  await openAfterFirstPage(page, `/station/${number}`);
  await expect(page.getByRole('listitem').getByRole('button').first()).toBeVisible();
}

/**
 * Navigates from another page of the app, because the first page contains its data and cannot be changed by a route of
 * the test.
 */
async function openAfterFirstPage(page: Page, path: string): Promise<void> {
  await open(page, '/debug');
  await navigateInApp(page, path);
}

/** Goes from one step of the station page to the next. */
export const steps = {
  connector: (page: Page) => page.getByRole('listitem').getByRole('button').first().click(),
  payment: (page: Page, method: 'card' | 'balance') =>
    page
      .getByRole('main')
      .getByRole('button')
      .nth(method === 'card' ? 0 : 1)
      .click(),
};
