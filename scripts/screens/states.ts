import type { Page } from '@playwright/test';
import { openStation, openStatus, steps } from '../../e2e/support/driver-screens.ts';
import { people } from '../../e2e/support/test.ts';
import { inAnyLanguage, press } from './press.ts';
import type { Look, Screen } from './screen.ts';
import { staffStateScreens } from './staff-states.ts';

/**
 * Every state that a driver can meet, prepared with answers of the server that are hard to cause, and what staff open.
 * They are only taken when they are asked for: `ALL_LOOKS=1 npm run screens -- state*`.
 */

const looks: readonly Look[] = ['uk light'];
const { driver } = people;
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const inMain = (page: Page) => page.getByRole('main').getByRole('button');

/** Answers every call to this address with the given values, also those of the first page. */
const answer = (page: Page, address: string, json: unknown, status = 200) =>
  page.route(address, (route) => route.fulfill({ status, json }));

type Fields = Parameters<typeof openStatus>[1];
const running = () => ({ created_at: ago(40), started_at: ago(38), read_at: ago(0) });
const over = () => ({ ...running(), finished_at: ago(3), rating: 5, time_left: null });

function status(name: string, fields: () => Fields, act?: (page: Page) => Promise<unknown>): Screen {
  return {
    name: `state-status-${name}`,
    path: '/debug',
    as: driver,
    looks,
    async act(page) {
      const curve = { began_at: ago(38), seconds: [0, 300, 600, 1200, 1800, 2280], soc_first: 18, soc_last: 62 };
      const power = [4_000, 18_000, 27_500, 38_200, 44_800, 47_300];
      await openStatus(page, fields());
      await answer(page, '**/api/operation/480215/curve', { ...curve, power });
      await act?.(page);
    },
  };
}

const pressLast = (page: Page) => inMain(page).last().click();

async function typeInSearch(page: Page, typed: string): Promise<void> {
  const name = inAnyLanguage('map:searchHint');
  // On a phone the field is in a sheet, which a button opens.
  if ((page.viewportSize()?.width ?? 0) < 1000) await page.getByRole('button', { name }).click();
  await page.getByRole('textbox', { name }).fill(typed);
  await page.waitForTimeout(800);
}

async function station(page: Page, number: string, ...act: ((page: Page) => Promise<unknown>)[]): Promise<void> {
  await openStation(page, number);
  for (const step of act) await step(page);
}

const cards = [
  { id: 1, system: 'visa', last4: '4821', is_expired: false, added_at: '2026-09-02T10:00:00Z' },
  { id: 2, system: 'mastercard', last4: '0917', is_expired: true, added_at: '2026-03-02T10:00:00Z' },
];
const withCards = (page: Page) => answer(page, '**/api/user/cards', cards);

const freeNearby = [
  {
    number: 'F1403',
    api_address: '1',
    type: 'ccstype2',
    address: 'Slobozhanskyi Ave 31D',
    address_uk: 'просп. Слобожанський, 31Д',
    distance: 1240,
  },
];

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const place = () => ({
  id: 1,
  connector: 1,
  ahead: 1,
  turn_at: inMinutes(25),
  head_start_until: null,
  expires_at: inMinutes(240),
});
const siteQueues = {
  open: () => ({ is_open: true, waiting: 2, turn_at: null, is_reachable: false, place: null }),
  waiting: () => ({ is_open: true, waiting: 2, turn_at: inMinutes(25), is_reachable: true, place: place() }),
  turn: () => ({
    is_open: true,
    waiting: 1,
    turn_at: null,
    is_reachable: true,
    place: { ...place(), ahead: 0, turn_at: null, head_start_until: inMinutes(10) },
  }),
};

export const stateScreens: readonly Screen[] = [
  ...staffStateScreens,
  status('unpaid', () => ({ ...running(), status: 'created', started_at: null, page_url: 'https://bank.example/' })),
  status('bank-answers', () => ({ ...running(), status: 'created', started_at: null, hold_status: 'processing' })),
  status('starting', () => ({ ...running(), status: 'starting', started_at: null, start_attempt: 2 })),
  status('charging', running),
  status('no-soc', () => ({ ...running(), soc: null })),
  status('no-readings', () => ({
    ...running(),
    energy: 0,
    power: -1,
    current: -1,
    soc: null,
    time_left: null,
    total: 0,
    percentage: 0,
  })),
  status('free', () => ({ ...running(), payment_type: 'free', price: 0, amount: 0, total: 0, percentage: null })),
  status('free-starting', () => ({
    ...running(),
    status: 'starting',
    started_at: null,
    payment_type: 'free',
    price: 0,
    amount: 0,
    total: 0,
    percentage: null,
  })),
  status('away', () => ({ ...running(), is_online: false, read_at: ago(4) })),
  status('stop-question', running, pressLast),
  status('stop-question-away', () => ({ ...running(), is_online: false, read_at: ago(4) }), pressLast),
  status('stop-waits', () => ({ ...running(), status: 'finishing', stop_requested: true, is_online: false })),
  status('finishing', () => ({ ...running(), status: 'finishing', stop_requested: true })),
  status('finished', () => ({ ...over(), status: 'finished' })),
  status('finished-charged-card', () => ({ ...over(), status: 'finished', is_overcharged: true })),
  status('settling', () => ({ ...over(), status: 'pending_final_payment' })),
  status('canceled', () => ({ ...over(), status: 'canceled', total: 0, real_total: 0 })),
  status('failed', () => ({ ...over(), status: 'failed', total: 0, real_total: 0, failure_reason: 'start_rejected' })),
  status('site-full', () => ({ ...over(), status: 'canceled', total: 0, site_cause: 'full' })),
  status('site-limit', () => ({ ...over(), status: 'finished', site_cause: 'limit' })),
  status('declined', () => ({ ...over(), status: 'failed_hold', total: 0, decline_reason: 'not_enough_money' })),
  {
    name: 'state-station-free',
    path: '/debug',
    as: driver,
    looks,
    act: (page) => station(page, 'F1040', steps.connector),
  },
  { name: 'state-station-offline', path: '/station/F1050', as: driver, looks },
  { name: 'state-station-discount', path: '/station/F1403', as: driver, looks },
  { name: 'state-station-sun', path: '/station/F1019', as: driver, looks },
  { name: 'state-station-virtual', path: '/station/v/F1500', as: driver, looks },
  { name: 'state-station-unknown', path: '/station/F9999', as: driver, looks },
  { name: 'state-station-closed', path: '/station/F1301', as: driver, looks },
  {
    name: 'state-payment-cards',
    path: '/debug',
    as: driver,
    looks,
    async act(page) {
      await withCards(page);
      await station(page, 'F1400', steps.connector);
    },
  },
  {
    name: 'state-amount-card',
    path: '/debug',
    as: driver,
    looks,
    act: (page) => station(page, 'F1400', steps.connector, (open) => steps.payment(open, 'card')),
  },
  {
    name: 'state-amount-wrong',
    path: '/debug',
    as: driver,
    looks,
    async act(page) {
      await station(page, 'F1400', steps.connector, (open) => steps.payment(open, 'card'));
      await page.getByRole('textbox').fill('500');
    },
  },
  {
    name: 'state-connector-taken',
    path: '/debug',
    as: driver,
    looks,
    async act(page) {
      await answer(page, '**/api/payment/new', { message: 'Taken', code: 'connector_taken' }, 409);
      await station(page, 'F1400', steps.connector, (open) => steps.payment(open, 'card'));
      await page.locator('[type=submit]').click();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'state-site-full',
    path: '/debug',
    as: driver,
    looks,
    async act(page) {
      await answer(page, '**/api/payment/new', { message: 'No power', code: 'site_full', free: freeNearby }, 409);
      await station(page, 'F1400', steps.connector, (open) => steps.payment(open, 'card'));
      await page.locator('[type=submit]').click();
      await page.waitForTimeout(1500);
    },
  },
  ...(['open', 'waiting', 'turn'] as const).map((state) => ({
    name: `state-site-queue-${state}`,
    path: '/debug',
    as: driver,
    looks,
    async act(page: Page) {
      await answer(page, '**/api/payment/new', { message: 'No power', code: 'site_full', free: freeNearby }, 409);
      await answer(page, '**/api/station/F1400/queue**', siteQueues[state]());
      await station(page, 'F1400', steps.connector, (open) => steps.payment(open, 'card'));
      await page.locator('[type=submit]').click();
      await page.waitForTimeout(1500);
    },
  })),
  { name: 'state-map-search', path: '/map', looks, act: (page) => typeInSearch(page, 'F140') },
  { name: 'state-map-search-none', path: '/map', looks, act: (page) => typeInSearch(page, 'F9999') },
  { name: 'state-map-offline-found', path: '/map', looks, act: (page) => typeInSearch(page, 'F1050') },
  { name: 'state-auth', path: '/auth', looks },
  {
    name: 'state-restoration',
    path: '/auth',
    looks,
    async act(page) {
      await page.locator('form').getByRole('button').nth(1).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'state-landing-offline', path: '/station/F1050', looks },
  { name: 'state-landing-unknown', path: '/station/F9999', looks },
  { name: 'state-balance-cards', path: '/balance', as: driver, looks, act: withCardsOnBalance },
  { name: 'state-gift', path: '/balance', as: driver, looks, act: (page) => press(page, 'balance:gift') },
  { name: 'state-stats-week', path: '/stats', as: driver, looks, act: (page) => press(page, 'history:earlier') },
  { name: 'state-stats-empty', path: '/stats', as: people.superAdmin, looks },
  { name: 'state-history-empty', path: '/history', as: people.superAdmin, looks },
  { name: 'state-active-empty', path: '/active', as: people.superAdmin, looks },
  { name: 'state-car-add', path: '/car/add', as: driver, looks },
  { name: 'state-icons', path: '/icons', as: driver, looks },
  { name: 'state-missing', path: '/nowhere', looks },
  {
    name: 'state-maintenance',
    path: '/debug',
    looks,
    async act(page) {
      await answer(page, '**/api/is-down', { is_down: true, start_time: ago(52), end_time: ago(-38), text: null });
      await page.goto('/offline');
      await page.getByRole('progressbar').waitFor();
    },
  },
];

async function withCardsOnBalance(page: Page): Promise<void> {
  await withCards(page);
  await page.reload();
  await page.getByText('4821').first().waitFor();
}
