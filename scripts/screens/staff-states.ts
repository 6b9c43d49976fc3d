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
    await opens('admin:stationAndUser')(page);
  }),
  operation('data', async (page) => {
    await page.getByText(inAnyLanguage('admin:data')).first().click();
  }),
  operation('finalize', opens('admin:finalize', '250')),
  operation('energy', opens('admin:forceEnergy', '20')),
  operation('reset', opens('admin:resetStation')),
  operation('payment', opens('admin:paymentInfo')),
  user('give', opens('admin:give', '15000')),
  user('take', opens('admin:take', '500000')),
  user('sms', opens('admin:sms')),
  user('role', opens('admin:setRole')),
  user('ban', opens('admin:ban')),
  user('log', tab(2)),
  user('data', tab(3)),
  user('reversal', async (page) => {
    await page.getByRole('tabpanel').getByRole('listitem').first().getByRole('button').click();
    await popup(page).waitFor();
  }),
  state('search-recent', '/admin', search('')),
  state('search-none', '/admin', search('зірка')),
  state('stats-range', '/admin/stats', async (page) => {
    await page.getByText(inAnyLanguage('oversight:fromTo')).click();
  }),
  state('station-ratings', '/admin/feedback', opens('oversight:stationRatings', 'F1400')),
  state('feedback-filters', '/admin/feedback', async (page) => {
    await page.getByRole('switch').first().click();
  }),
  state('key', '/admin/integrations', opens('integrations:keyAdd')),
  state('register', `${network}/charge-points`, opens('network:register')),
  state('maintenance', `${network}/stations/F1400`, (page) => press(page, 'networkBuild:plan')),
  state('print', `${network}/stations/F1400`, opens('networkBuild:print')),
  state('cards', `${network}/rfid`, opens('networkBuild:issueCards')),
  state('promotion', `${network}/promotions`, opens('networkBuild:newPromotion')),
  state('promotion-day', `${network}/promotions`, async (page) => {
    await opens('networkBuild:newPromotion')(page);
    await popup(page)
      .getByRole('button', { name: inAnyLanguage('admin:openCalendar') })
      .last()
      .click();
    await page.getByRole('dialog', { name: inAnyLanguage('networkBuild:lastDay') }).waitFor();
  }),
  state('tariff', `${network}/tariffs/1`, async (page) => {
    await page.getByText(inAnyLanguage('networkBuild:later')).first().click();
    await page.getByRole('switch').first().click();
  }),
  state('site', `${network}/sites`, opens('network:siteAddShort')),
  state('station-unknown', `${network}/stations/F9999`),
];
