// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@fpay/contract/person';
import { describe, expect, it, vi } from 'vitest';
import { distanceKm } from '../atlas/distance.ts';
import { palettes } from '../palette.ts';
import { createTilePainter } from './draw-tile.ts';
import { areasOf, clipRing, type TileShape, worldX, worldY } from './geometry.ts';
import { arrangeLabels, labelsOf } from './labels.ts';
import { mainRoads } from './main-roads.ts';
import type { UkraineFile } from './source.ts';
import { waterLinks } from './water-links.ts';

// Half a megabyte of coastlines is clipped and filled in JavaScript, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const file: UkraineFile = JSON.parse(readFileSync(join(import.meta.dirname, 'ukraine.geo.json'), 'utf8'));
const labels = labelsOf(file);

function isWithin(shapes: TileShape[], lat: number, lon: number): boolean {
  const [x, y] = [worldX(lon), worldY(lat)];
  return shapes.some(({ paths }) => {
    let inside = false;
    for (const path of paths) {
      for (let at = 0; at + 3 < path.length; at += 2) {
        const [ax = 0, ay = 0, bx = 0, by = 0] = path.subarray(at, at + 4);
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      }
    }
    return inside;
  });
}

function hasPoint(path: Float64Array | undefined, x: number, y: number): boolean {
  if (!path) return false;
  for (let at = 0; at < path.length; at += 2) if (path[at] === x && path[at + 1] === y) return true;
  return false;
}

const landsOf = (country: string) =>
  file.countries.features
    .filter(({ properties }) => properties.c === country)
    .flatMap(({ geometry }) => areasOf(geometry));

describe('the embedded map', () => {
  it.each([
    ['Kyiv', 50.45, 30.52],
    ['Donetsk', 48.0, 37.8],
    ['Luhansk', 48.57, 39.3],
    ['Simferopol', 44.95, 34.1],
    ['Sevastopol', 44.6, 33.53],
    ['Kerch', 45.35, 36.47],
  ])('has %s in Ukraine, and in no other country', (_, lat, lon) => {
    expect(isWithin(landsOf('UKR'), lat, lon)).toBe(true);
    expect(isWithin(landsOf('RUS'), lat, lon)).toBe(false);
  });

  it.each([
    ['uk', ['Київ', 'Дніпро', 'Чорне море']],
    ['en', ['Kyiv', 'Dnipro', 'Black Sea']],
    ['pl', ['Kijów', 'Dniepr', 'Morze Czarne']],
  ] as const)('names cities and seas in the language of the page: %s [MAP-24]', (language, expected) => {
    const names = arrange({ language, zoom: 6 }).map(({ text }) => text);
    for (const name of expected) expect(names).toContain(name);
  });

  it('has rivers without gaps: the Dnipro is one water from Kamianske to Zaporizhzhia', () => {
    const waters = file.water.features.flatMap(({ geometry }) => areasOf(geometry));
    const links = waterLinks(waters);
    const chains = new Map(waters.map((water) => [water, water]));
    const rootOf = (water: TileShape): TileShape => {
      const next = chains.get(water) ?? water;
      return next === water ? water : rootOf(next);
    };
    const at = (x = 0, y = 0) => waters.find(({ paths }) => hasPoint(paths[0], x, y));
    for (const [ax, ay, bx, by] of links) {
      const [one, other] = [at(ax, ay), at(bx, by)];
      if (one && other) chains.set(rootOf(one), rootOf(other));
    }
    const near = (lat: number, lon: number) =>
      waters.filter(({ box: [west, north, east, south] }) => {
        const [x, y] = [worldX(lon), worldY(lat)];
        return west <= x && x <= east && north <= y && y <= south;
      });
    const roots = (lat: number, lon: number) => near(lat, lon).map(rootOf);
    const [upstream, downstream] = [roots(48.499, 34.98), roots(48.42, 35.12)];
    expect(upstream.length * downstream.length).toBeGreaterThan(0);
    expect(upstream.some((root) => downstream.includes(root))).toBe(true);
    // No link is longer than a gap of a river.
    for (const [ax = 0, ay = 0, bx = 0, by = 0] of links) expect(Math.hypot(ax - bx, ay - by)).toBeLessThan(1e-4);
  });

  it('has the roads between cities, and the districts of the largest ones when it is near', () => {
    const roads = mainRoads(file);
    expect(roads.length).toBeGreaterThan(20);
    const districts = (zoom: number) => arrange({ zoom }).filter(({ look }) => look === 'district');
    expect(districts(9)).toEqual([]);
    const names = labels.filter(({ look }) => look === 'district').map((label) => label.names.uk);
    expect(names).toContain('Чечелівський');
    for (const label of labels)
      if (label.look === 'district') expect(isWithin(landsOf('UKR'), label.lat, label.lon)).toBe(true);
  });

  it('places districts, which no source of ours has, on land, near the centre of their city and apart from each other', () => {
    const waters = file.water.features.flatMap(({ geometry }) => areasOf(geometry));
    const largest = ['Kyiv', 'Kharkiv', 'Odesa', 'Dnipro', 'Lviv', 'Zaporizhzhia', 'Kryvyi Rih'];
    const centres = file.cities.features
      .filter(({ properties }) => largest.includes(properties.en))
      .map(({ geometry: { coordinates } }) => ({ lat: coordinates[1] ?? 0, lon: coordinates[0] ?? 0 }));
    expect(centres).toHaveLength(largest.length);
    const districts = labels.filter(({ look }) => look === 'district');
    for (const [index, district] of districts.entries()) {
      const name = `${district.names.en} at ${district.lat}, ${district.lon}`;
      expect(Math.min(...centres.map((centre) => distanceKm(centre, district))), name).toBeLessThan(14);
      expect(isWithin(waters, district.lat, district.lon), name).toBe(false);
      for (const other of districts.slice(index + 1)) expect(distanceKm(district, other), name).toBeGreaterThan(2);
    }
    // A leg that is too long would draw a road where there is none; the longest is that of M05 from Uman to Odesa.
    for (const road of mainRoads(file)) {
      for (const [index, [lon = 0, lat = 0]] of road.slice(1).entries()) {
        const [fromLon = 0, fromLat = 0] = road[index] ?? [];
        expect(distanceKm({ lat: fromLat, lon: fromLon }, { lat, lon })).toBeLessThan(260);
      }
    }
  });

  it('has more names at a closer zoom, and none over another', () => {
    const far = arrange({ zoom: 6 });
    const near = arrange({ zoom: 9 });
    expect(near.length).toBeGreaterThan(far.length * 1.5);
    const boxes = near.map(({ label, dx, dy, text }) => {
      const { x, y } = placeAt(9)(label);
      return { left: x + dx - text.length * 4, right: x + dx + text.length * 4, top: y + dy - 8, bottom: y + dy + 8 };
    });
    const clashes = boxes.filter((a, index) =>
      boxes.slice(index + 1).some((b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top),
    );
    expect(clashes).toEqual([]);
  });

  it('moves a name aside for a marker, and omits a small one without space', () => {
    const at = placeAt(9);
    const samar = labels.find(({ names }) => names.uk === 'Самар');
    if (!samar) throw new Error('Samar is on the map');
    const { x, y } = at(samar);
    const marker = { left: x - 20, right: x + 20, top: y - 30, bottom: y + 5 };
    const find = (taken: (typeof marker)[]) =>
      arrangeLabels([samar], { language: 'uk', zoom: 9, at, measure, taken })[0];
    expect(find([])).toMatchObject({ dx: 0, dy: 0 });
    expect(find([marker])?.dy).toBeGreaterThan(5);
    expect(find([{ left: x - 500, right: x + 500, top: y - 500, bottom: y + 500 }])).toBeUndefined();
  });

  it('is drawn tile by tile: the sea off Odesa is water, Dnipro is land, in the colours of the theme [MAP-23]', () => {
    const paint = createTilePainter(file);
    for (const palette of [palettes.light, palettes.dark]) {
      expect(colourAt(paint, palette, 46.2, 31.3)).toBe(palette.sea);
      expect(colourAt(paint, palette, 48.9, 34.5)).toBe(palette.land);
      expect(colourAt(paint, palette, 45.3, 34.4)).toBe(palette.land);
      expect(colourAt(paint, palette, 52.5, 28)).toBe(palette.abroad);
    }
  });

  it('clips shapes at the edge of a tile', () => {
    const ring = new Float64Array([0, 0, 1, 0, 1, 1, 0, 1, 0, 0]);
    const clipped = clipRing(ring, [0.25, 0.25, 0.5, 2]);
    expect([Math.min(...clipped), Math.max(...clipped)]).toEqual([0.25, 1]);
    expect(clipRing(ring, [2, 2, 3, 3])).toEqual([]);
  });
});

const measure = (text: string) => ({ width: text.length * 8, height: 16 });
const placeAt =
  (zoom: number) =>
  ({ lat, lon }: { lat: number; lon: number }) => ({
    x: worldX(lon) * 256 * 2 ** zoom,
    y: worldY(lat) * 256 * 2 ** zoom,
  });

function arrange({ language = 'uk', zoom }: { language?: Language; zoom: number }) {
  return arrangeLabels(labels, { language, zoom, at: placeAt(zoom), measure, taken: [] });
}

/** The colour of the last fill that covers a place, which is the visible one. */
function colourAt(
  paint: ReturnType<typeof createTilePainter>,
  palette: (typeof palettes)['light' | 'dark'],
  lat: number,
  lon: number,
): string {
  const [z, sizePx] = [5, 256];
  const [wx, wy] = [worldX(lon) * 2 ** z, worldY(lat) * 2 ** z];
  const [x, y] = [Math.floor(wx), Math.floor(wy)];
  const [px, py] = [(wx - x) * sizePx, (wy - y) * sizePx];
  let seen = '';
  let rings: [number, number][][] = [];
  const context = {
    fillStyle: '',
    beginPath: () => {
      rings = [];
    },
    moveTo: (mx: number, my: number) => rings.push([[mx, my]]),
    lineTo: (lx: number, ly: number) => rings.at(-1)?.push([lx, ly]),
    closePath: () => undefined,
    stroke: () => undefined,
    fill() {
      let inside = false;
      for (const ring of rings) {
        for (const [index, [ax, ay]] of ring.entries()) {
          const [bx, by] = ring[(index + 1) % ring.length] ?? [0, 0];
          if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) inside = !inside;
        }
      }
      if (inside) seen = this.fillStyle;
    },
    fillRect(rx: number, ry: number, width: number, height: number) {
      if (px >= rx && px <= rx + width && py >= ry && py <= ry + height) seen = this.fillStyle;
    },
  };
  paint(context as unknown as CanvasRenderingContext2D, { z, x, y, sizePx, ratio: 1 }, palette);
  return seen;
}
