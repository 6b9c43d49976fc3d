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

/**
 * Width and height of every icon on the map, in pixels. Each has a white rim, and the embedded map has no white; icons that
 * are nearer than 6 px to each other count as one.
 */
export function iconSizes(page: Page): Promise<[number, number][]> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('[role=application] canvas');
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const left = new Set();
    for (let at = 0; at < width * height; at++)
      if (data[at * 4] > 250 && data[at * 4 + 1] > 250 && data[at * 4 + 2] > 250) left.add(at);
    const sizes = [];
    for (const first of left) {
      left.delete(first);
      const group = [first];
      let [west, east, north, south] = [width, 0, height, 0];
      for (const at of group) {
        const [x, y] = [at % width, Math.floor(at / width)];
        [west, east, north, south] = [Math.min(west, x), Math.max(east, x), Math.min(north, y), Math.max(south, y)];
        for (let dy = -5; dy <= 5; dy++)
          for (let dx = -5; dx <= 5; dx++)
            if (x + dx >= 0 && x + dx < width && left.delete(at + dy * width + dx)) group.push(at + dy * width + dx);
      }
      sizes.push([east - west + 1, south - north + 1]);
    }
    return sizes;
  })()`);
}
