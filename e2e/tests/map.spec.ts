import { languages } from '@fpay/contract/languages';
import type { Page } from '@playwright/test';
import { demoPromotions } from '../../apps/server/src/demo/network/specials.ts';
import { isRunning } from '../../apps/server/src/stations/promotion.ts';
import type { MapChunk, Promotion } from '../../packages/contract/src/stations.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { lookAt, mapSummary, openMap, pixelsLike, withProviders } from '../support/map.ts';
import { expect, open, people, setLanguage, test, withoutFirstAnswers } from '../support/test.ts';
import { tileOfWater } from '../support/vector-tile.ts';

/** Most tests use the embedded map; `map-streets.spec.ts` has the streets. */
test.beforeEach(async ({ page }) => {
  const base = { kind: 'offline', url: null, attribution: '', maxZoom: 17, tileSize: 256 };
  await withProviders(page, { base, satellite: null });
});

const announcedStations = async (page: Page) => Number.parseInt((await mapSummary(page).textContent()) ?? '', 10);

async function stationsOf(page: Page): Promise<MapChunk[]> {
  const response = await page.request.get('/api/map/stations');
  return response.json();
}

/** The screen position of a place, when the map's centre is known. */
async function pixelOf(page: Page, place: { lat: number; lon: number }) {
  const [lat = 0, lon = 0, zoom = 0] = (await page.evaluate<string>("sessionStorage.getItem('fpay.map.view')"))
    .split(',')
    .map(Number);
  const worldPx = 256 * 2 ** zoom;
  const x = (degrees: number) => (degrees / 360) * worldPx;
  const y = (degrees: number) => (-Math.asinh(Math.tan((degrees * Math.PI) / 180)) / (2 * Math.PI)) * worldPx;
  const map = await page.getByRole('application').boundingBox();
  const dock = await page.getByRole('link', { name: 'Сканувати QR' }).locator('../..').boundingBox();
  const middle = { x: (map?.width ?? 0) / 2, y: (64 + (dock?.y ?? 0)) / 2 };
  return { x: middle.x + x(place.lon) - x(lon), y: middle.y + y(place.lat) - y(lat) };
}

async function search(page: Page, typed: string): Promise<void> {
  await page.getByRole('button', { name: 'Станція або адреса' }).click();
  await page.getByRole('textbox', { name: 'Станція або адреса' }).fill(typed);
}

test('a visitor finds a station on the map and continues to payment [MAP-01] [MAP-10] [MAP-11] [MAP-12] [ROLE-13]', async ({
  page,
}) => {
  const chunk = (await stationsOf(page)).find(({ stations }) => stations.some(({ number }) => number === 'F1403'));
  if (!chunk) throw new Error('The demo has F1403');
  await lookAt(page, chunk, 16);
  await openMap(page, '/');
  const sheet = page.getByRole('dialog');
  await expect(async () => {
    const { x, y } = await pixelOf(page, chunk);
    // The tip of the pin is on the place, so its head is above it.
    await page.mouse.click(x, y - 25);
    await expect(sheet.getByRole('heading', { name: chunk.stations[0]?.address_uk ?? '' })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 20_000 });
  const station = sheet.getByRole('listitem', { name: 'F1403' });
  await expect(station.getByText('₴/кВт·год').first()).toBeVisible();
  await expect(station.getByRole('link', { name: 'Маршрут' })).toHaveAttribute(
    'href',
    `https://www.google.com/maps/search/?api=1&query=${chunk.lat},${chunk.lon}`,
  );
  await expect(station.getByRole('link', { name: 'До оплати' })).toHaveAttribute('href', '/station/F1403');
});

test('a signed-in driver opens the station’s page from the map [MAP-11]', async ({ page, signIn }) => {
  await signIn(people.driver);
  await openMap(page);
  await search(page, 'f1400');
  await page.getByRole('button', { name: /^F1400/ }).click();
  await page.getByRole('listitem', { name: 'F1400' }).getByRole('link', { name: 'До оплати' }).click();
  await expect(page).toHaveURL(/\/station\/F1400$/);
});

test('the markers are drawn, and the filter reduces them [MAP-02] [MAP-03]', async ({ page }) => {
  await openMap(page);
  const whole = await announcedStations(page);
  // Every marker has white pixels, online or not; the map itself has none.
  const white = () => pixelsLike(page, [255, 255, 255]);
  await expect.poll(white).toBeGreaterThan(1000);
  const drawn = await white();
  await page.getByRole('button', { name: 'NACS', exact: true }).click();
  await expect.poll(() => announcedStations(page)).toBeLessThan(whole);
  await expect.poll(white).toBeLessThan(drawn);
});

test('a marker is 35 pixels wide [MAP-02]', async ({ page }) => {
  // This marker is alone on its screen, and it has a white rim.
  const chunk = (await stationsOf(page)).find(({ stations }) => stations.some(({ number }) => number === 'F1403'));
  if (!chunk) throw new Error('The demo has F1403');
  await lookAt(page, chunk, 17);
  await openMap(page);
  const rim = async () => {
    const { x, y } = await pixelOf(page, chunk);
    return whiteWidth(page, { x, y: y - 25 }, 40);
  };
  await expect.poll(rim).toBeGreaterThanOrEqual(34);
  expect(await rim()).toBeLessThanOrEqual(36);
});

test('the own position is drawn over the markers', async ({ page, context }) => {
  const chunk = (await stationsOf(page)).find(({ stations }) => stations.some(({ number }) => number === 'F1403'));
  if (!chunk) throw new Error('The demo has F1403');
  // A marker stands on its place, so a driver a little north of it is behind the lower half of the marker.
  const behindPx = 12;
  const degreesPerPx = (360 * Math.cos((chunk.lat * Math.PI) / 180)) / (256 * 2 ** 17);
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: chunk.lat + behindPx * degreesPerPx, longitude: chunk.lon });
  await lookAt(page, chunk, 17);
  await openMap(page);
  await page.getByRole('button', { name: 'Моє місцезнаходження' }).click();
  const zoom = async () => Number((await page.evaluate<string>("sessionStorage['fpay.map.view']")).split(',')[2]);
  // The button zooms out; at 17 the marker is alone on its screen.
  await expect.poll(zoom).toBe(13);
  await page.getByRole('application').focus();
  for (const wanted of [14, 15, 16, 17]) {
    await page.keyboard.press('+');
    await expect.poll(zoom).toBe(wanted);
  }
  await expect
    .poll(async () => {
      const { x, y } = await pixelOf(page, chunk);
      return whiteWidth(page, { x, y: y - 25 }, 40);
    })
    .toBeGreaterThanOrEqual(34);
  // The whole disc with a radius of 7 px, without its smoothed edge.
  expect(await pixelsLike(page, [47, 111, 242], 3)).toBeGreaterThan(120);
});

test('a user who returns to the map finds the same view', async ({ page }) => {
  const place = { lat: 48.4459, lon: 35.0172 };
  await page.addInitScript(`sessionStorage['fpay.map.view'] ??= '${[place.lat, place.lon, 16].join()}'`);
  const view = () => page.evaluate<string>("sessionStorage.getItem('fpay.map.view')");
  for (const visit of ['first', 'second']) {
    await openMap(page);
    // The list of stations in view is sorted by distance from the screen's centre.
    await page.getByRole('button', { name: 'Список станцій' }).click();
    await expect(page.getByRole('list', { name: 'Станції на мапі' }).getByRole('button').first()).toBeVisible();
    const [lat = 0, lon = 0] = (await view()).split(',').map(Number);
    expect([visit, lat.toFixed(4), lon.toFixed(4)]).toEqual([visit, '48.4459', '35.0172']);
  }
});

test('search finds by number or address, and reports when there is nothing [MAP-04] [ERR-39]', async ({ page }) => {
  await openMap(page);
  await search(page, 'СІЧЕСЛАВСЬКА');
  await expect(page.getByRole('list', { name: 'Знайдені станції' }).getByRole('listitem').first()).toContainText(
    'Січеславська',
  );
  await page.getByRole('textbox').fill('F99999');
  await expect(page.getByText('Станцій не знайдено')).toBeVisible();
});

test('the same stations can be reached by keyboard only', async ({ page }) => {
  await openMap(page);
  await page.getByRole('button', { name: 'Список станцій' }).focus();
  await page.keyboard.press('Enter');
  const rows = page.getByRole('list', { name: 'Станції на мапі' }).getByRole('button');
  await expect(rows.first()).toBeVisible();
  await page.getByRole('button', { name: 'Закрити' }).focus();
  await page.keyboard.press('Tab');
  await expect(rows.first()).toBeFocused();
  const number = (await rows.first().textContent())?.match(/F\d+/)?.[0] ?? '';
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('listitem', { name: number })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('arrows and plus move the focused map, between zoom 6 and 17 [MAP-15]', async ({ page }) => {
  await openMap(page);
  const zoom = async () =>
    Number((await page.evaluate<string>("sessionStorage.getItem('fpay.map.view')")).split(',')[2]);
  expect(await zoom()).toBeCloseTo(11, 5);
  await page.getByRole('application').focus();
  for (let press = 0; press < 10; press++) {
    await page.keyboard.press('+');
    await page.waitForTimeout(150);
  }
  await expect.poll(zoom).toBeCloseTo(17, 5);
  for (let press = 0; press < 14; press++) {
    await page.keyboard.press('-');
    await page.waitForTimeout(150);
  }
  await expect.poll(zoom).toBeCloseTo(6, 5);
});

test('the map stays over Ukraine when the user moves it away [MAP-15]', async ({ page }) => {
  const middle = async () =>
    (await page.evaluate<string>("sessionStorage.getItem('fpay.map.view')")).split(',').map(Number);
  for (const [far, lat, lon] of [
    [{ lat: 20, lon: 5 }, 44, 21],
    [{ lat: 70, lon: 80 }, 53, 41],
  ] as const) {
    await page.addInitScript(`sessionStorage.setItem('fpay.map.view', '${far.lat},${far.lon},7')`);
    await open(page, '/map');
    // The corrected view is stored.
    await expect.poll(async () => (await middle()).slice(0, 2).map(Math.round)).toEqual([lat, lon]);
  }
});

test('the embedded map shows its cities in the language of the page and loads nothing from other hosts [MAP-23] [MAP-24]', async ({
  page,
  site,
}) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !/^(data|blob):/.test(url)) elsewhere.push(url);
  });
  await lookAt(page, { lat: 50.3, lon: 30.6 }, 8);
  await openMap(page);
  for (const [language, city] of [
    ['uk', 'Київ'],
    ['en', 'Kyiv'],
    ['pl', 'Kijów'],
  ] as const) {
    await setLanguage(page, language);
    await expect(mapSummary(page)).toContainText(city);
  }
  expect(elsewhere).toEqual([]);
  await expect(page.getByText('© OpenStreetMap · Natural Earth · GeoNames')).toBeVisible();
});

test.describe('without a network', () => {
  test.use({ expectedConsoleError: /ERR_FAILED/ });

  test('the map says so quietly; when it is back, the stations and the signed-in driver are there', async ({
    page,
    signIn,
  }) => {
    await signIn(people.driver);
    await withoutFirstAnswers(page);
    await page.route('**/api/**', (route) => route.abort());
    await open(page, '/map');
    await expect(page.getByText('Немає зв’язку. Станції з’являться, щойно він повернеться.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.unroute('**/api/**');
    await page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))");
    await expect(page.getByRole('link', { name: /Баланс/ })).toBeVisible({ timeout: 20_000 });
    await expect(mapSummary(page)).toHaveText(/[1-9]\d* .+ на мапі/);
    await expect(page.getByText('Немає зв’язку')).toHaveCount(0);
  });
});

test('on a desktop the list and the chosen station are in a panel of 400 px beside the map', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page);
  const panel = page.getByRole('region', { name: 'Станції на мапі' });
  expect((await panel.boundingBox())?.width).toBe(400);
  await panel.getByRole('textbox', { name: 'Станція або адреса' }).fill('F140');
  await panel.getByRole('button', { name: /^F1401/ }).click();
  const detail = panel.getByRole('region');
  await expect(detail.getByRole('listitem', { name: 'F1401' })).toHaveAttribute('aria-current', 'true');
  await expect(detail.getByRole('listitem', { name: 'F1401' }).getByRole('link', { name: 'До оплати' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await checkAccessibility(page, { colours: true });
});

const tileColour: [number, number, number] = [200, 60, 120];

test.describe('with a tile provider', () => {
  test.use({ expectedConsoleError: /ERR_FAILED|tiles\.example|Content Security Policy/ });

  test('its tiles and its attribution are shown; when they fail, the embedded map is shown [MAP-23] [MAP-07]', async ({
    page,
    site,
  }) => {
    let areTilesThere = true;
    const picture = Buffer.from(
      // Four by four pixels of a colour that the map does not use.
      'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGM4YVMBRwzEcQBu0hfBUJ+tSwAAAABJRU5ErkJggg==',
      'base64',
    );
    // The tiles come from the product's own address, which its content security policy allows.
    await page.route('**/tiles/**', (route) =>
      areTilesThere ? route.fulfill({ contentType: 'image/png', body: picture }) : route.abort(),
    );
    const base = { ...provider, kind: 'xyz', url: `${site}/tiles/{z}/{x}/{y}.png` };
    await withProviders(page, { base, satellite: { ...base, url: base.url.replace('tiles/', 'tiles/sat/') } });
    await openMap(page);
    await expect(page.getByText('© Tiles')).toBeVisible();
    await expect.poll(() => pixelsLike(page, tileColour)).toBeGreaterThan(10_000);
    areTilesThere = false;
    await page.getByRole('button', { name: 'Супутник' }).click();
    await expect(page.getByText('© OpenStreetMap · Natural Earth · GeoNames')).toBeVisible();
    await expect(mapSummary(page)).toContainText('Дніпро');
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`with vector tiles, they are drawn in the map's own colours; when they fail, the embedded map is shown: ${theme} [MAP-23]`, async ({
      page,
      site,
    }) => {
      let areTilesThere = true;
      await page.route('**/tiles/**', (route) =>
        areTilesThere
          ? route.fulfill({ contentType: 'application/vnd.mapbox-vector-tile', body: tileOfWater() })
          : route.abort(),
      );
      const base = { ...provider, kind: 'mvt', url: `${site}/tiles/{z}/{x}/{y}.pbf` };
      await withProviders(page, { base, satellite: { ...base, url: base.url.replace('tiles/', 'tiles/sat/') } });
      await page.emulateMedia({ colorScheme: theme });
      await openMap(page);
      await expect(page.getByText('© Tiles')).toBeVisible();
      // The tile is all water, while every other map shows land at Dnipro.
      const water = () => pixelsLike(page, waterColours[theme]);
      await expect.poll(water).toBeGreaterThan(100_000);
      areTilesThere = false;
      await page.getByRole('button', { name: 'Супутник' }).click();
      await expect(page.getByText('© OpenStreetMap · Natural Earth · GeoNames')).toBeVisible();
      await expect(mapSummary(page)).toContainText('Дніпро');
    });
  }
});

/** The values of the map's palettes. */
const waterColours = { light: [185, 221, 233], dark: [17, 50, 61] } as const;

const provider = { attribution: '© Tiles', maxZoom: 17, tileSize: 256 };

const days: [day: string, running: string[]][] = [
  ['2026-10-22', ['sun']],
  ['2026-10-23', ['sun', 'discount']],
  ['2026-10-26', ['sun', 'discount']],
  ['2026-10-27', ['sun', 'discount', 'event']],
  ['2027-11-02', ['sun', 'discount', 'event']],
  ['2027-11-03', ['sun', 'discount']],
  ['2027-11-15', ['sun', 'discount']],
  ['2026-11-16', ['sun']],
];

/** The promotions of the demo's network on this day. */
function promotionsOn(day: string): Promotion[] {
  const at = new Date(`${day}T10:00:00Z`);
  return demoPromotions
    .filter(({ fromDay, toDay }) => isRunning({ days: fromDay && toDay ? { from: fromDay, to: toDay } : null }, at))
    .map(({ code, kind, station }) => ({ code, kind, station_number: station }));
}

test('the discount marker is shown from 23 October to 15 November, the event marker from 27 October to 2 November, the sun always [MAP-20] [MAP-21] [MAP-22]', async ({
  page,
}) => {
  const markersOn = (day: string) => promotionsOn(day).flatMap(({ kind, code }) => (kind === 'marker' ? code : []));
  expect(days.map(([day]) => [day, markersOn(day)])).toEqual(days);

  const alone = (await stationsOf(page)).find(
    ({ stations }) => stations.length === 1 && stations[0]?.is_online && stations[0].number.startsWith('F100'),
  );
  const usual = alone?.stations[0]?.number ?? '';
  const [discount, sun, event] = ['Знижка на зарядку', 'Живиться від сонця', 'Подія або акція'];
  for (const [day, expected] of [
    ['2026-10-28', [discount, sun, event]],
    ['2026-12-01', [null, sun, null]],
  ] as const) {
    await page.route('**/api/promotions', (route) => route.fulfill({ json: promotionsOn(day) }));
    await openMap(page);
    await page.getByRole('button', { name: 'Станція або адреса' }).click();
    const seen: (string | null)[] = [];
    for (const number of ['F1403', 'F1019', usual]) {
      await page.getByRole('textbox').fill(number);
      const words = await page.getByRole('button', { name: new RegExp(`^${number}`) }).textContent();
      seen.push([discount, sun, event].find((promotion) => words?.includes(promotion)) ?? null);
    }
    expect(seen).toEqual(expected);
  }
});

const panels: Record<string, (page: Page) => Promise<unknown>> = {
  'the map': async () => undefined,
  search: async (page) => {
    await page.getByText(/Станція або адреса|Station or address|Stacja lub adres/).click();
    await page.getByRole('textbox').fill('F14');
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
  },
  'the filter': (page) => page.getByRole('button', { name: /Усі типи|All connector|Wszystkie typy/ }).click(),
  'the legend': (page) => page.getByRole('button', { name: /Що означають|What the|Co oznaczają/ }).click(),
  'the list': async (page) => {
    await page.getByRole('button', { name: /Список станцій|List of|Lista stacji/ }).click();
    const row = page.getByRole('dialog').getByRole('listitem').getByRole('button').first();
    await expect(row).toBeVisible();
    await row.click();
    await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible();
  },
};

/** Opens each panel in turn on the same map. */
async function eachPanel(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const [name, act] of Object.entries(panels)) {
    await act(page);
    await look(name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
}

test('the map, search, the filter, the legend and the list: axe finds nothing in either theme', async ({ page }) => {
  await openMap(page);
  await eachPanel(page, () => checkAccessibility(page));
});

test('nothing scrolls sideways at 320 px in any language [I18N-01]', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openMap(page);
  for (const language of languages) {
    await setLanguage(page, language);
    await eachPanel(page, async (name) => {
      const where = `${language}: ${name}`;
      expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBe(320);
      const wide = await page.evaluate<number>(
        "Array.from(document.querySelectorAll('[role=dialog]')).filter((sheet) => sheet.scrollWidth > sheet.clientWidth).length",
      );
      expect(wide, where).toBe(0);
    });
  }
});

/** The distance from the leftmost to the rightmost white pixel on the line through a place, within `reach` pixels. */
function whiteWidth(page: Page, { x, y }: { x: number; y: number }, reach: number): Promise<number> {
  return page.getByRole('application').evaluate(
    (element: { querySelector(name: string): unknown }, at) => {
      const canvas = element.querySelector('canvas') as {
        getContext(kind: '2d'): {
          getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
        };
      };
      const [left, width] = [Math.round(at.x) - at.reach, 2 * at.reach];
      const { data } = canvas.getContext('2d').getImageData(left, Math.round(at.y), width, 1);
      const white = Array.from({ length: width }, (_, index) => index).filter((index) =>
        [0, 1, 2].every((part) => (data[index * 4 + part] ?? 0) > 245),
      );
      return white.length === 0 ? 0 : Math.max(...white) - Math.min(...white) + 1;
    },
    { x, y, reach },
  );
}
