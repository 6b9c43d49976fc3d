import type { View } from './canvas/station-map.ts';

const equatorMetres = 2 * Math.PI * 6_378_137;
const widestPx = 88;

/** A round length that is at most 88 px wide on the map. */
export function scaleOf({ lat, zoom }: Pick<View, 'lat' | 'zoom'>): { metres: number; widthPx: number } {
  const metresPerPx = (equatorMetres * Math.cos((lat * Math.PI) / 180)) / (256 * 2 ** zoom);
  const most = widestPx * metresPerPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = ([5, 2, 1].find((step) => step * power <= most) ?? 1) * power;
  return { metres, widthPx: Math.round(metres / metresPerPx) };
}
