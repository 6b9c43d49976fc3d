import { expect, type Page } from '@playwright/test';
import { open } from './test.ts';

/** The whole stack draws the map; it also announces what it draws, and tests read that. */
export async function openMap(page: Page, path = '/map'): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, path);
  await expect(mapSummary(page)).toHaveText(/[1-9]\d* .+ (на мапі|map|mapie)/, { timeout: 20_000 });
}

export const mapSummary = (page: Page) => page.locator('#map-summary');

/** Sets the view as if the driver had been there before. */
export const lookAt = (page: Page, { lat, lon }: { lat: number; lon: number }, zoom: number) =>
  page.addInitScript(`sessionStorage.setItem('fpay.map.view', '${[lat, lon, zoom].join()}')`);

/** Sets the network's map settings to these providers. */
export async function withProviders(page: Page, map: { base: object; satellite: object | null }): Promise<void> {
  await page.route(/\/(map)?$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const html = await response.text();
    const boot = /(<script[^>]*id="boot"[^>]*>)(.*?)(<\/script>)/s;
    const body = html.replace(boot, (_, start: string, text: string, end: string) => {
      const first = JSON.parse(text);
      first.settings.map = map;
      return start + JSON.stringify(first) + end;
    });
    await route.fulfill({ response, body });
  });
}

/** The number of pixels of the map that nearly have this colour. */
export function pixelsLike(page: Page, colour: readonly [number, number, number]): Promise<number> {
  return page.getByRole('application').evaluate((element: { querySelector(name: string): unknown }, wanted) => {
    const canvas = element.querySelector('canvas') as {
      width: number;
      height: number;
      getContext(kind: '2d'): {
        getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
      };
    } | null;
    if (!canvas) return 0;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((value, index) => Math.abs((data[at + index] ?? 0) - value) < 8)) count += 1;
    }
    return count;
  }, colour);
}
