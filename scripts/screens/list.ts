import type { Page } from '@playwright/test';
import { people } from '../../e2e/support/test.ts';
import { pay, plugIn, skipFeedback, stopCharging, waitForFeedback } from './charge.ts';
import { networkScreens } from './network.ts';
import { partyScreens } from './party.ts';
import { press } from './press.ts';
import { askForNewPrice, confirmGift, ignoreStop, showDevices, signInElsewhere } from './rare.ts';
import type { Screen } from './screen.ts';
import { staffScreens } from './staff.ts';

const everywhere = ['uk light', 'uk dark', 'en light', 'pl light'] as const;
/** For states that are seldom looked at: every language and theme, and the longest texts at 320 px. */
const rare = ['uk light', 'uk dark', 'en light', 'pl light', 'uk light 320', 'pl dark 320'] as const;
const { driver } = people;
const first = (page: Page) => page.getByRole('main').getByRole('button', { name: /CCS2/ }).first();

/** The ways to pay are in this order. */
const methods = ['card', 'balance'] as const;

async function chooseAmount(page: Page, method: (typeof methods)[number]): Promise<void> {
  await first(page).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'F' }).waitFor();
  await page.getByRole('main').getByRole('button').nth(methods.indexOf(method)).click();
  await page.getByRole('textbox').waitFor();
}

const toAmount = (page: Page) => chooseAmount(page, 'balance');
export const toAmountByCard = (page: Page) => chooseAmount(page, 'card');

async function askTooMuch(page: Page): Promise<void> {
  await toAmount(page);
  await page.getByRole('textbox').fill('200');
  await page.getByRole('alert').waitFor();
}

/** The other connector has no car. */
async function chooseFree(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: /CCS2/ }).nth(1).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'F' }).waitFor();
}

/** In the order of a driver's day, because a later screen shows what an earlier one started. */
export const screens: readonly Screen[] = [
  { name: 'map', path: '/map', looks: ['uk light', 'uk dark', 'en light'] },
  { name: 'menu', path: '/account', as: driver, looks: ['uk light'], act: openMenu },
  { name: 'qr', path: '/qr', looks: ['uk light', 'pl light'] },
  { name: 'station', path: '/station/F1400', as: driver, looks: everywhere, before: (page) => plugIn(page, 'F1400') },
  { name: 'payment', path: '/station/F1400', as: driver, looks: ['uk light'], act: (page) => first(page).click() },
  { name: 'plug-in', path: '/station/F1400', as: driver, looks: ['uk light'], act: chooseFree },
  { name: 'amount', path: '/station/F1400', as: driver, looks: ['uk light', 'pl light'], act: toAmount },
  { name: 'insufficient', path: '/station/F1400', as: driver, looks: ['uk light'], act: askTooMuch },
  {
    name: 'charging',
    path: '/active',
    as: driver,
    looks: everywhere,
    before: (page) => pay(page, 'F1405'),
    act: openCharge,
  },
  { name: 'active', path: '/active', as: driver, looks: ['uk light'] },
  { name: 'feedback', path: '', as: driver, looks: ['uk light'], before: stopCharging, act: waitForFeedback },
  { name: 'finished', path: '/history', as: driver, looks: ['uk light', 'uk dark'], act: openFinished },
  { name: 'auth', path: '/station/F1400', looks: ['uk light', 'uk dark', 'pl light'] },
  { name: 'reg', path: '/reg', looks: ['uk light'] },
  { name: 'instruction', path: '/instruction', looks: rare },
  { name: 'account', path: '/account', as: driver, looks: everywhere },
  { name: 'edit', path: '/edit', as: driver, looks: ['uk light'] },
  { name: 'devices', path: '/edit', as: driver, looks: rare, before: () => signInElsewhere(driver), act: showDevices },
  { name: 'cars', path: '/cars', as: driver, looks: ['uk light'] },
  { name: 'history', path: '/history', as: driver, looks: ['uk light', 'uk dark'] },
  { name: 'stats', path: '/stats', as: driver, looks: ['uk light', 'en light'] },
  { name: 'balance', path: '/balance', as: driver, looks: ['uk light', 'uk dark'] },
  { name: 'top-up', path: '/balance', as: driver, looks: ['uk light'], act: openTopUp },
  { name: 'gift', path: '/balance', as: driver, looks: rare, act: confirmGift },
  {
    name: 'new-price',
    path: '/station/F1400',
    as: driver,
    looks: rare,
    before: (page) => plugIn(page, 'F1400'),
    act: async (page) => {
      await toAmount(page);
      await askForNewPrice(page);
    },
  },
  { name: 'stop-ignored', path: '/debug', as: driver, looks: rare, act: ignoreStop },
  { name: 'rfid', path: '/rfid', as: people.superAdmin, looks: ['uk light'] },
  ...partyScreens,
  ...staffScreens,
  ...networkScreens,
];

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('dialog').waitFor();
}

export async function openCharge(page: Page): Promise<void> {
  await page.getByRole('link', { name: /F1405/ }).first().click();
  await page.getByTestId('energy').waitFor();
}

export async function openFinished(page: Page): Promise<void> {
  await page.getByRole('link', { name: /F1405/ }).first().click();
  await skipFeedback(page);
}

async function openTopUp(page: Page): Promise<void> {
  await press(page, 'balance:topUp');
  await page.getByRole('dialog').waitFor();
}
