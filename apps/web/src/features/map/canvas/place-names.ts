import type { Language } from '@fpay/contract/person';
import type OlMap from 'ol/Map.js';
import { fromLonLat, toLonLat } from 'ol/proj.js';
import type { LabelBounds, PlacedLabel } from '../basemap/label.ts';
import { arrangeLabels, isTown } from '../basemap/labels.ts';
import { arrangeLines } from '../basemap/line-labels.ts';
import type { createBaseMap } from './base-map.ts';
import type { PlacedSprite } from './sprite-layer.ts';
import type { Sprites } from './sprites.ts';

interface NameParts {
  map: OlMap;
  zoom: number;
  language: Language;
  baseMap: Pick<ReturnType<typeof createBaseMap>, 'labels' | 'lines'>;
  sprites: Sprites;
  /** Names move aside for them. */
  markers: readonly PlacedSprite[];
}

/** Half of the width of the world in the map's metres. */
const worldHalf = Math.PI * 6_378_137;
/** Names may begin outside of the screen. */
const reachPx = { x: 80, y: 40 };

/** Places the names of the visible map around the markers: first places, then streets. */
export function placeNames({ map, zoom, language, baseMap, sprites, markers }: NameParts) {
  const [width = 0, height = 0] = map.getSize() ?? [];
  const isVisible = (x: number, y: number) =>
    x > -reachPx.x && y > -reachPx.y && x < width + reachPx.x && y < height + reachPx.y;
  const pixelAt = (coordinate: number[]) => {
    const [x = 0, y = 0] = map.getPixelFromCoordinate(coordinate) ?? [];
    return { x, y };
  };
  const at = ({ lat, lon }: { lat: number; lon: number }) => {
    const { x, y } = pixelAt(fromLonLat([lon, lat]));
    return isVisible(x, y) ? { x, y } : null;
  };
  const taken = markers.flatMap(({ x, y, dx = 0, dy = 0, sprite }): LabelBounds[] => {
    const pixel = pixelAt([x, y]);
    if (!isVisible(pixel.x, pixel.y)) return [];
    const left = pixel.x + dx - sprite.anchorX;
    const top = pixel.y + dy - sprite.anchorY;
    return [{ left: left + 4, top: top + 4, right: left + sprite.width - 4, bottom: top + sprite.height - 4 }];
  });
  const places = arrangeLabels(baseMap.labels(), { language, zoom, at, measure: sprites.measure, taken });
  const boundsOf = ({ label, look, text, dx, dy }: PlacedLabel): LabelBounds[] => {
    const place = at(label);
    if (!place) return [];
    const size = sprites.measure(text, look);
    const [x, y] = [place.x + dx, place.y + dy];
    return [
      { left: x - size.width / 2, right: x + size.width / 2, top: y - size.height / 2, bottom: y + size.height / 2 },
    ];
  };
  const streets = arrangeLines(baseMap.lines(), {
    language,
    at: (x, y) => pixelAt([(2 * x - 1) * worldHalf, (1 - 2 * y) * worldHalf]),
    placeAt(x, y) {
      const [lon = 0, lat = 0] = toLonLat(map.getCoordinateFromPixel([x, y]));
      return { lat, lon };
    },
    screen: { width, height },
    measure: sprites.measure,
    taken: [...taken, ...places.flatMap(boundsOf)],
  });
  return {
    placed: [...streets, ...places],
    towns: places.filter(({ label }) => isTown(label)).map(({ text }) => text),
  };
}
