import { describe, expect, it } from 'vitest';
import { worldX, worldY } from '../basemap/geometry.ts';
import { placesIn } from './answers.ts';
import { createAtlas } from './atlas.ts';
import type { Marker } from './markers.ts';
import { spreadOut } from './spread.ts';

const zoom = 11;
const pixel = 360 / (256 * 2 ** zoom);
const box = { halfWidth: 18, halfHeight: 18, centreY: 0 };
const item = (px: number, isFixed = false) => ({ lat: 48.46, lon: 35 + px * pixel, box, isFixed });

/** A network of this many stations within a few kilometres; the seed makes it the same at each run. */
function crowd(count: number, spanDegrees: number) {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const chunks = Array.from({ length: count }, (_, index) => ({
    lat: 48.46 + (random() - 0.5) * spanDegrees,
    lon: 35.04 + (random() - 0.5) * spanDegrees,
    stations: [
      {
        number: `F${index}`,
        address: '',
        address_uk: '',
        is_online: true,
        connectors: [{ type: 'ccstype2', status: index % 3 === 0 ? 'charging' : 'free' }],
      },
    ],
  }));
  const atlas = createAtlas();
  atlas.load(placesIn(new TextEncoder().encode(JSON.stringify(chunks)).buffer), true);
  return { atlas, chunks };
}

/** The least space between two icons on the screen, in CSS px. */
function leastGap(markers: readonly Marker[]): number {
  const rectangles = markers.map(({ kind, lat, lon, dx, dy, free, busy, off }) => {
    const world = 256 * 2 ** zoom;
    const half = kind === 'place' ? { x: 18.5, y: 21 } : ringHalf(free + busy + off);
    return { x: worldX(lon) * world + dx, y: worldY(lat) * world + dy - (kind === 'place' ? 21 : 0), half };
  });
  let least = Number.POSITIVE_INFINITY;
  for (const [index, a] of rectangles.entries()) {
    for (const b of rectangles.slice(index + 1)) {
      const gapX = Math.abs(a.x - b.x) - a.half.x - b.half.x;
      const gapY = Math.abs(a.y - b.y) - a.half.y - b.half.y;
      least = Math.min(least, Math.max(gapX, gapY));
    }
  }
  return least;
}

function ringHalf(total: number) {
  const half = total >= 1000 ? 22 : total >= 100 ? 20 : 18;
  return { x: half, y: half };
}

describe('icons', () => {
  it('that touch go apart evenly, and those with room stay on their place', () => {
    const { offsets, stuck } = spreadOut([item(0), item(20), item(300)], zoom);
    expect(offsets).toEqual([
      { dx: -13, dy: 0 },
      { dx: 13, dy: 0 },
      { dx: 0, dy: 0 },
    ]);
    expect(stuck).toEqual([]);
  });

  it('make room for the selected one, which stays', () => {
    const { offsets } = spreadOut([item(0, true), item(20)], zoom);
    expect(offsets).toEqual([
      { dx: 0, dy: 0 },
      { dx: 26, dy: 0 },
    ]);
  });

  it.each([
    [40, 0.1],
    [300, 0.2],
    [2000, 0.4],
  ])(
    'of %i stations within %f degrees never cover each other: at least 8 px are between them [MAP-02]',
    (count, span) => {
      const { atlas } = crowd(count, span);
      const markers = atlas.markers({ box: [34.6, 48.1, 35.5, 48.8], zoom });
      expect(markers.length).toBeGreaterThan(10);
      expect(leastGap(markers)).toBeGreaterThanOrEqual(8);
      const stations = markers.reduce((sum, { free, busy, off }) => sum + free + busy + off, 0);
      expect(stations).toBe(count);
      const members = markers.flatMap((marker) =>
        marker.kind === 'cluster' ? atlas.members(marker.parts).map(({ key }) => key) : [marker.key],
      );
      expect(members).toHaveLength(count);
    },
  );

  it('the selected place has its own marker, also in a crowd', () => {
    const { atlas, chunks } = crowd(300, 0.05);
    const key = `${chunks[150]?.lat},${chunks[150]?.lon}`;
    const screen = { box: [34.6, 48.1, 35.5, 48.8] as const, zoom };
    expect(atlas.markers(screen).some((marker) => marker.key === key)).toBe(false);
    const own = atlas.markers(screen, key).find((marker) => marker.key === key);
    expect(own).toMatchObject({ kind: 'place', dx: 0, dy: 0 });
  });
});
