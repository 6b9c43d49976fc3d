import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/accessibility.ts';
import { expect, fitsNarrowPhone, open, people, test, withoutFirstAnswers } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** A driver at a station that cannot charge the car now reads why, and where to go instead. */
const number = 'F1400';
const uk = texts('uk');

async function stationIs(page: Page, changes: (station: { connectors: object[] }) => object): Promise<void> {
  await withoutFirstAnswers(page);
  await page.route(`**/api/station/${number}`, async (route) => {
    const station = await (await route.fetch()).json();
    await route.fulfill({ json: { ...station, ...changes(station) } });
  });
  await page.route(`**/api/connectors/${number}`, (route) => route.abort());
}

const taken = ({ connectors }: { connectors: object[] }) => ({
  connectors: connectors.map((connector) => ({ ...connector, status: 'charging', progress: 40, time_left: 1_500 })),
});

async function offersTheNextStep(page: Page): Promise<void> {
  const nearest = page
    .getByRole('list', { name: uk('payment:freeNearby') })
    .getByRole('listitem')
    .first();
  await expect(nearest).toContainText(/\d\u00a0(м|км)\d+,\d\d\u00a0₴$/);
  const [station] = (await nearest.textContent())?.match(/F\d{4}/) ?? [];
  await expect(page.getByRole('link', { name: `Перейти на ${station}` })).toHaveAttribute(
    'href',
    `/station/${station}`,
  );
  await expect(page.getByRole('link', { name: uk('payment:scanShort') })).toHaveAttribute('href', '/qr');
  await expect(page.getByRole('link', { name: uk('payment:callUs') })).toHaveAttribute('href', /^tel:/);
}

test('where all connectors are taken, a visitor reads why and until when, and is offered the nearest free one', async ({
  page,
}) => {
  await stationIs(page, taken);
  await open(page, `/station/${number}`);
  await expect(page.getByRole('heading', { name: uk('payment:allTaken') })).toBeVisible();
  await expect(page.getByText(/≈\s25\sхв/)).toBeVisible();
  await offersTheNextStep(page);
  await checkAccessibility(page);
  await fitsNarrowPhone(page);
});

test('at an offline station a visitor is offered the same, and can sign in', async ({ page }) => {
  await stationIs(page, () => ({ is_online: false, connectors: [] }));
  await open(page, `/station/${number}`);
  await expect(page.getByRole('heading', { name: `Станція ${number} не на зв’язку` })).toBeVisible();
  await offersTheNextStep(page);
  await expect(page.getByRole('link', { name: uk('generic:toMap') })).toHaveAttribute('href', '/map');
  await expect(page.getByLabel(uk('auth:phone'))).toBeVisible();
  await fitsNarrowPhone(page);
});

test('a driver who has signed in is offered the same, beside the list of all connectors', async ({ page, signIn }) => {
  await signIn(people.driver);
  await stationIs(page, taken);
  await open(page, `/station/${number}`);
  await expect(page.getByRole('heading', { name: uk('payment:allTaken') })).toBeVisible();
  await offersTheNextStep(page);
  await page.getByRole('button', { name: uk('station:showAll') }).click();
  await expect(page.getByRole('heading', { name: uk('payment:allTaken') })).toHaveCount(0);
});
