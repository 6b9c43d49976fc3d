import type { Language } from '@fpay/contract/person';
import { inLanguage } from '@fpay/contract/translated';
import { districtLabels } from './districts.ts';
import { worldX, worldY } from './geometry.ts';
import type { Label, LabelBounds, LabelLook, PlacedLabel } from './label.ts';
import type { UkraineFile } from './source.ts';

const seas: Label[] = [
  { names: { uk: 'Чорне море', en: 'Black Sea', pl: 'Morze Czarne' }, lat: 44.6, lon: 31.6, weight: 3e6, ...sea() },
  {
    names: { uk: 'Азовське море', en: 'Sea of Azov', pl: 'Morze Azowskie' },
    lat: 46.0,
    lon: 36.5,
    weight: 2e6,
    ...sea(),
  },
];

function sea() {
  return { look: 'sea', fromZoom: 6, toZoom: 9.5 } as const;
}

/** All labels of the embedded map, the largest weight first. */
export function labelsOf({ cities, rivers }: UkraineFile): Label[] {
  const places = cities.features.map(({ properties: { uk, en, pl, pop, cap }, geometry }): Label => {
    const [lon = 0, lat = 0] = geometry.coordinates;
    const look = cap === 4 ? 'abroad' : cap === 1 ? 'capital' : cap === 2 || pop > 400_000 ? 'city' : 'town';
    const weight = cap === 1 ? 1e8 : cap === 2 ? 1e7 + pop : cap === 4 ? pop / 10 : pop;
    return { names: { uk, en, pl }, lat, lon, look, weight, fromZoom: fromZoom(pop, cap), toZoom: 20 };
  });
  const waters = rivers.features.flatMap(({ properties: { uk, en, pl }, geometry }): Label[] => {
    if (!uk || !en || !pl) return [];
    const lines = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates;
    return lines.flatMap((line) => {
      const [lon = 0, lat = 0] = line[Math.floor(line.length / 2)] ?? [];
      return line.length < 12
        ? []
        : [{ names: { uk, en, pl }, lat, lon, look: 'water', weight: 5, fromZoom: 7, toZoom: 11 }];
    });
  });
  return [...seas, ...places, ...districtLabels(), ...waters].sort((a, b) => b.weight - a.weight);
}

function fromZoom(pop: number, cap: number): number {
  if (cap === 1 || cap === 2) return 6;
  if (cap === 4) return pop > 600_000 ? 6 : 7.5;
  if (pop > 400_000) return 6.5;
  if (pop > 100_000) return 7.5;
  if (pop > 50_000) return 8.5;
  return 9;
}

/** The neighbour's tile has the same name again. */
const samePlacePx = 120;

/** From this zoom on, every city's name is as large as the capital's. */
const largeFromZoom = 9.5;

interface Sizes {
  width: number;
  height: number;
}
interface Arrangement {
  language: Language;
  zoom: number;
  /** The screen position of a place, in CSS px; null when it is not visible. */
  at: (point: { lat: number; lon: number }) => { x: number; y: number } | null;
  measure: (text: string, look: LabelLook) => Sizes;
  /** Occupied areas: the markers. */
  taken: readonly LabelBounds[];
}

/**
 * Possible distances of a name from its place: directly beside it, beside a marker, and farther where a city fills the
 * screen.
 */
const distancesPx = { usual: [6, 22], near: [6, 22, 56, 96] };
const directions = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
] as const;

/**
 * Places names in the page's language without overlap. Names move aside for markers; a large city without space stays
 * under them, any other is omitted.
 */
export function arrangeLabels(
  labels: readonly Label[],
  { language, zoom, at, measure, taken }: Arrangement,
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const names: LabelBounds[] = [];
  const known = new Map<string, { x: number; y: number }[]>();
  for (const label of labels) {
    if (zoom < label.fromZoom || zoom >= label.toZoom) continue;
    const point = at(label);
    if (!point) continue;
    const text = inLanguage(label.names, language);
    const same = known.get(text) ?? [];
    if (same.some(({ x, y }) => Math.hypot(x - point.x, y - point.y) < samePlacePx)) continue;
    const look = label.look === 'city' && zoom >= largeFromZoom ? 'capital' : label.look;
    const size = measure(text, look);
    const isLarge = label.look === 'capital' || label.look === 'city';
    const spots = spotsFor(size, isLarge && zoom >= largeFromZoom).map((spot) => ({
      ...spot,
      bounds: boundsOf(point.x + spot.dx, point.y + spot.dy, size),
    }));
    const fits = (bounds: LabelBounds, others: readonly LabelBounds[]) =>
      !others.some((other) => overlap(bounds, other));
    const free = spots.find(({ bounds }) => fits(bounds, names) && fits(bounds, taken));
    const spot = free ?? (isLarge ? spots.find(({ bounds }) => fits(bounds, names)) : undefined);
    if (!spot) continue;
    names.push(spot.bounds);
    known.set(text, [...same, point]);
    placed.push({ label, look, text, dx: spot.dx, dy: spot.dy });
  }
  return placed;
}

/** First over the place itself, then around it at growing distances. */
function spotsFor({ width, height }: Sizes, isNear: boolean): { dx: number; dy: number }[] {
  const around = distancesPx[isNear ? 'near' : 'usual'].flatMap((distance) =>
    directions.map(([sideways, upright]) => ({
      dx: sideways * (width / 2 + distance),
      dy: upright * (height / 2 + distance),
    })),
  );
  return [{ dx: 0, dy: 0 }, ...around];
}

function boundsOf(x: number, y: number, { width, height }: Sizes): LabelBounds {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function overlap(a: LabelBounds, b: LabelBounds): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/** True for names of towns, which are also announced to screen readers. */
export function isTown({ look }: Label): boolean {
  return look === 'capital' || look === 'city' || look === 'town';
}

export function worldOf({ lat, lon }: { lat: number; lon: number }): { x: number; y: number } {
  return { x: worldX(lon), y: worldY(lat) };
}
