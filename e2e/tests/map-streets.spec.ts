import { lookAt, mapSummary, openMap, pixelsLike } from '../support/map.ts';
import { expect, setLanguage, test } from '../support/test.ts';

/** The product with a provider of real vector tiles on another host: the test's own server. */
const streets = process.env.STREETS_URL ?? '';
const host = streets.replace('/planet', '');
const tiles = `${host}/**`;
const centre = { lat: 48.4647, lon: 35.0462 };
/** From the map's palettes: a built-up area, which only the tiles have. */
const builtUp = { light: [236, 234, 225], dark: [20, 28, 24] } as const;
const lost = 'Вулиці зараз недоступні';

test("streets are drawn in the map's own colours, light and dark, with the provider's attribution [MAP-23]", async ({
  page,
}) => {
  await lookAt(page, centre, 13);
  await openMap(page);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect.poll(() => pixelsLike(page, builtUp[theme], 2)).toBeGreaterThan(50_000);
  }
  await expect(page.getByRole('link', { name: 'OpenStreetMap' })).toHaveAttribute(
    'href',
    'https://www.openstreetmap.org/copyright',
  );
  await expect(page.getByText(lost)).toHaveCount(0);
});

test('the names of the tiles are in the language of the page [MAP-24]', async ({ page }) => {
  await lookAt(page, centre, 12);
  for (const [language, city] of [
    ['uk', 'Дніпро'],
    ['en', 'Dnipro'],
    ['pl', 'Dniepr'],
  ] as const) {
    await setLanguage(page, language);
    await openMap(page);
    await expect(page.getByRole('link', { name: 'OpenFreeMap' })).toBeVisible();
    await expect(mapSummary(page)).toContainText(city);
  }
});

test('the page may call exactly the configured tile host', async ({ page }) => {
  const policy = (await page.request.get('/map')).headers()['content-security-policy'] ?? '';
  const directive = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? [];
  expect(directive('connect-src').filter((source) => source.startsWith('http'))).toEqual([host]);
  expect(directive('img-src').filter((source) => source.startsWith('http'))).toEqual([]);
});

test.describe('without tiles', () => {
  test.use({ expectedConsoleError: /ERR_FAILED/ });

  test('the embedded map is shown with a quiet line, and streets return with the network [MAP-23]', async ({
    page,
  }) => {
    await page.route(tiles, (route) => route.abort());
    await lookAt(page, centre, 12);
    await openMap(page);
    await expect(page.getByText(lost)).toBeVisible();
    await expect(page.getByText('© OpenStreetMap · Natural Earth · GeoNames')).toBeVisible();
    await expect(mapSummary(page)).toContainText('Дніпро');
    const view = () => page.evaluate<string>("sessionStorage.getItem('fpay.map.view')");
    const before = await view();
    await page.unroute(tiles);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await expect(page.getByText(lost)).toHaveCount(0);
    await expect.poll(() => pixelsLike(page, builtUp.light, 2)).toBeGreaterThan(20_000);
    expect(await view()).toBe(before);
  });

  test('tiles that do not come within 2 s are replaced by the embedded map until they come [MAP-23]', async ({
    page,
  }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(tiles, async (route) => {
      await released;
      await route.continue();
    });
    await lookAt(page, centre, 12);
    await openMap(page);
    await expect(page.getByText(lost)).toBeVisible();
    release();
    await expect(page.getByText(lost)).toHaveCount(0);
    await expect.poll(() => pixelsLike(page, builtUp.light, 2)).toBeGreaterThan(20_000);
  });
});
