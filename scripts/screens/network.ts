import type { Page } from '@playwright/test';
import { people } from '../../e2e/support/test.ts';
import type { Screen } from './screen.ts';
import { addPhotos, askToRemovePhoto, openPhoto, showPhotos } from './station-photo.ts';

const looks = ['uk light', 'uk dark', 'en light', 'pl light 320', 'uk light 1440', 'uk dark 1440'] as const;

/** Opens the first row of a list. */
async function openFirst(page: Page): Promise<void> {
  await page.locator('main :is([data-row], ul a):not(nav *)').first().click();
  await page.getByRole('main').getByRole('heading').first().waitFor();
}

/** A site, because the demo has none; taking the pictures again changes it. */
async function addSite(page: Page): Promise<void> {
  await page.goto('/admin/network/sites');
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (
    (await page
      .getByRole('main')
      .getByRole('link', { name: /Мост-Сіті/ })
      .count()) > 0
  )
    return;
  await page.getByRole('button', { name: 'Додати' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Назва').fill('ТРЦ «Мост-Сіті»');
  await form.getByLabel('Ліміт, кВт').fill('120');
  await form.getByLabel('Станції').fill('F1400, F1405');
  await form.getByRole('button', { name: 'Зберегти' }).click();
  await form.waitFor({ state: 'hidden' });
}

async function showYear(page: Page): Promise<void> {
  await page.getByRole('group').first().locator('label').nth(1).click();
}

const screen = (name: string, path: string, more: Pick<Screen, 'before' | 'act'> = {}): Screen => ({
  name: `network-${name}`,
  path: `/admin/network${path}`,
  as: people.superAdmin,
  looks,
  ...more,
});

/** Building and watching the network. */
export const networkScreens: readonly Screen[] = [
  screen('overview', ''),
  screen('charge-points', '/charge-points'),
  screen('charge-point', '/charge-points', { act: openFirst }),
  screen('commissioning', '/charge-points/1/commissioning'),
  screen('stations', '/stations'),
  screen('station', '/stations/F1400'),
  screen('station-new', '/stations/new'),
  screen('photos', '/stations/F1400', { before: addPhotos, act: showPhotos }),
  screen('photo-removal', '/stations/F1400', { act: askToRemovePhoto }),
  { name: 'network-photos-driver', path: '/station/F1400', as: people.driver, looks },
  { name: 'network-photo-driver', path: '/station/F1400', as: people.driver, looks, act: openPhoto },
  screen('report', '/stations/F1400/report'),
  screen('import', '/import'),
  screen('tariffs', '/tariffs'),
  screen('tariff', '/tariffs', { act: openFirst }),
  screen('promotions', '/promotions'),
  screen('promotions-year', '/promotions', { act: showYear }),
  screen('parties', '/parties'),
  screen('party', '/parties', { act: openFirst }),
  screen('rfid', '/rfid'),
  screen('sites', '/sites', { before: addSite }),
  screen('site', '/sites', { act: openFirst }),
];
