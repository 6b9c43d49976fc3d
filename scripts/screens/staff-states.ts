import type { Page } from '@playwright/test';
import { people } from '../../e2e/support/test.ts';
import { inAnyLanguage, press } from './press.ts';
import type { Look, Screen } from './screen.ts';
import { firstDriver, firstOperation } from './staff.ts';

/** What staff open on a screen: filters, forms, questions with sums, empty lists. Only taken when asked for. */
const looks: readonly Look[] = ['uk light', 'uk light 320', 'uk dark', 'pl light 320', 'uk light 1440', 'en dark 1440'];
const as = people.superAdmin;
const popup = (page: Page) => page.getByRole('dialog');

const state = (name: string, path: string, act?: Screen['act']): Screen => ({
  name: `state-staff-${name}`,
  path,
  as,
  looks,
  ...(act && { act }),
});
const operation = (name: string, act: Screen['act']): Screen => ({
  ...state(`operation-${name}`, '', act),
  before: firstOperation,
});
const user = (name: string, act: Screen['act']): Screen => ({ ...state(`user-${name}`, '', act), before: firstDriver });

/** Presses a button and waits for what it opens. */
const opens = (key: `${string}:${string}`, fill?: string) => async (page: Page) => {
  await press(page, key);
  await popup(page).waitFor();
  if (fill === undefined) return;
  await popup(page).getByRole('textbox').first().fill(fill);
  // The effect is asked for when the typing pauses.
  await page.waitForTimeout(1_500);
};
const tab = (index: number) => (page: Page) => page.getByRole('tab').nth(index).click();

/** On a phone the filters are behind a button, and on a computer in a closed block. */
async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: inAnyLanguage('admin:listSettings') });
  if (await button.isVisible()) await button.click();
  const block = page.locator('main details');
  if ((await block.getAttribute('open')) === null) await block.locator('summary').click();
}

const search = (typed: string) => async (page: Page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(typed);
  await page.waitForTimeout(1_500);
};

const network = '/admin/network';

export const staffStateScreens: readonly Screen[] = [
  state('filters', '/admin/operations', openFilters),
  state('filtered-none', '/admin/operations?status=failed&station=F1050'),
  state('filter-popup', '/admin/operations', async (page) => {
    const button = page.getByRole('button', { name: inAnyLanguage('admin:listSettings') });
    if (await button.isVisible()) await button.click();
    await opens('adminOperations:stationAndUser')(page);
  }),
  operation('data', async (page) => {
    await page.getByText(inAnyLanguage('admin:data')).first().click();
  }),
  operation('finalize', opens('adminOperations:finalize', '250')),
  operation('energy', opens('adminOperations:forceEnergy', '20')),
  operation('reset', opens('adminOperations:resetStation')),
  operation('payment', opens('adminOperations:paymentInfo')),
  user('give', opens('adminUsers:give', '15000')),
  user('take', opens('adminUsers:take', '500000')),
  user('sms', opens('adminUsers:sms')),
  user('role', opens('adminUsers:setRole')),
  user('ban', opens('adminUsers:ban')),
  user('log', tab(2)),
  user('data', tab(3)),
  user('reversal', async (page) => {
    await page.getByRole('tabpanel').getByRole('listitem').first().getByRole('button').click();
    await popup(page).waitFor();
  }),
  state('search-recent', '/admin', search('')),
  state('search-none', '/admin', search('зірка')),
  state('stats-range', '/admin/stats', async (page) => {
    await page.getByText(inAnyLanguage('admin:fromTo')).click();
  }),
  state('station-ratings', '/admin/feedback', opens('adminFeedback:stationRatings', 'F1400')),
  state('feedback-filters', '/admin/feedback', async (page) => {
    await page.getByRole('switch').first().click();
  }),
  state('key', '/admin/integrations', opens('integrations:keyAdd')),
  state('register', `${network}/charge-points`, opens('networkChargePoints:register')),
  state('maintenance', `${network}/stations/F1400`, (page) => press(page, 'network:plan')),
  state('print', `${network}/stations/F1400`, opens('networkStations:print')),
  state('cards', `${network}/rfid`, opens('networkCards:issueCards')),
  state('promotion', `${network}/promotions`, opens('networkPromotions:newPromotion')),
  state('promotion-day', `${network}/promotions`, async (page) => {
    await opens('networkPromotions:newPromotion')(page);
    await popup(page)
      .getByRole('button', { name: inAnyLanguage('admin:openCalendar') })
      .last()
      .click();
    await page.getByRole('dialog', { name: inAnyLanguage('network:lastDay') }).waitFor();
  }),
  state('tariff', `${network}/tariffs/1`, async (page) => {
    await page.getByText(inAnyLanguage('networkTariffs:later')).first().click();
    await page.getByRole('switch').first().click();
  }),
  state('site', `${network}/sites`, opens('networkSites:siteAddShort')),
  state('station-unknown', `${network}/stations/F9999`),
];
