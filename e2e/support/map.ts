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

/** Sets the network's map settings to these providers, in the first answers of the page. */
export async function withProviders(page: Page, map: { base: object; satellite: object | null }): Promise<void> {
  await page.addInitScript(`document.addEventListener('readystatechange', () => {
    const boot = document.getElementById('boot');
    if (document.readyState !== 'interactive' || !boot) return;
    const first = JSON.parse(boot.textContent);
    first.settings.map = ${JSON.stringify(map)};
    boot.textContent = JSON.stringify(first);
  })`);
}

/** The number of pixels of the map that nearly have this colour. */
export function pixelsLike(page: Page, colour: readonly [number, number, number], tolerance = 8): Promise<number> {
  return page.getByRole('application').evaluate(
    (element: { querySelector(name: string): unknown }, { wanted, most }) => {
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
        if (wanted.every((value, index) => Math.abs((data[at + index] ?? 0) - value) < most)) count += 1;
      }
      return count;
    },
    { wanted: colour, most: tolerance },
  );
}
