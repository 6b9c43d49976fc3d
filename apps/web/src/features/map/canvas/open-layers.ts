import { defaults as usualInteractions } from 'ol/interaction/defaults.js';
import OlMap from 'ol/Map.js';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js';
import OlView from 'ol/View.js';
import type { Marker } from '../atlas/atlas.ts';
import type { Box } from '../atlas/clusters.ts';
import type { Point } from '../atlas/distance.ts';
import { arrangeLabels, isTown, type PlacedLabel } from '../basemap/labels.ts';
import { palettes } from '../drawing/palette.ts';
import { createBaseMap } from './base-map.ts';
import { pressedMarker } from './press.ts';
import { type Laid, SpriteLayer } from './sprite-layer.ts';
import { createSprites, type Sprite } from './sprites.ts';
import { type MapOptions, type Sight, type StationMap, zoomRange } from './station-map.ts';

/** Between two questions for markers while the map moves. */
const betweenSightsMs = 120;
/** Sharper than this nobody sees, and every frame costs more. */
const sharpest = 2;
const moveMs = 250;
/** The middle of the map stays within Ukraine and its neighbours' edges. */
const region: Box = [21, 44, 41, 53];
const [degrees, metres] = ['EPSG:4326', 'EPSG:3857'];

export interface LaidMarker extends Laid {
  marker: Marker;
}

/** The map on OpenLayers: it moves, asks for tiles and tells where things are; labels and markers are drawn by us. */
export function createStationMap({ element, view: start, base, look: firstLook, listener }: MapOptions): StationMap {
  const ratio = Math.min(sharpest, Math.max(1, window.devicePixelRatio));
  const view = new OlView({
    center: fromLonLat([start.lon, start.lat]),
    zoom: start.zoom,
    minZoom: zoomRange.lowest,
    maxZoom: zoomRange.highest,
    extent: transformExtent([...region], degrees, metres),
    constrainOnlyCenter: true,
    smoothExtentConstraint: false,
    smoothResolutionConstraint: false,
    enableRotation: false,
  });
  const layer = new SpriteLayer();
  const map = new OlMap({
    target: element,
    view,
    controls: [],
    layers: [layer],
    pixelRatio: ratio,
    interactions: usualInteractions({ altShiftDragRotate: false, pinchRotate: false }),
  });

  let look = firstLook;
  let sprites = createSprites(palettes[look.theme], ratio);
  let markers: readonly Marker[] = [];
  let laidMarkers: LaidMarker[] = [];
  let placed: PlacedLabel[] = [];
  let selected: string | null = null;
  let standing: Point | null = null;
  let lastSightAt = 0;

  const baseMap = createBaseMap({
    map,
    ratio,
    onChange() {
      listener.onAttribution(baseMap.attribution());
      arrange();
    },
  });

  function sight(): Sight {
    const [lon = 0, lat = 0] = toLonLat(view.getCenter() ?? [0, 0]);
    const zoom = view.getZoom() ?? zoomRange.usual;
    const [west = 0, south = 0, east = 0, north = 0] = transformExtent(view.calculateExtent(), metres, degrees);
    return { view: { lat, lon, zoom }, screen: { box: [west, south, east, north], zoom } };
  }

  function spritesOf(marker: Marker): Sprite[] {
    if (marker.kind === 'place') return [sprites.marker(marker.look, marker.key === selected)];
    return [sprites.ring(marker), sprites.number(shortCount(marker.free + marker.busy + marker.off))];
  }

  /** Lays everything anew: names below, then markers from north to south, the chosen one over all. */
  function lay(): void {
    const ordered = [...markers].sort(
      (a, b) => Number(a.key === selected) - Number(b.key === selected) || b.lat - a.lat,
    );
    laidMarkers = ordered.flatMap((marker) => {
      const [x = 0, y = 0] = fromLonLat([marker.lon, marker.lat]);
      return spritesOf(marker).map((sprite) => ({ marker, x, y, sprite }));
    });
    const names = placed.map(({ label, look: labelLook, text, dx, dy }): Laid => {
      const [x = 0, y = 0] = fromLonLat([label.lon, label.lat]);
      return { x, y, dx, dy, sprite: sprites.label(text, labelLook) };
    });
    layer.lay([...names, ...(standing ? [laidStanding(standing)] : []), ...laidMarkers]);
  }

  function laidStanding({ lat, lon }: Point): Laid {
    const [x = 0, y = 0] = fromLonLat([lon, lat]);
    return { x, y, sprite: sprites.standing() };
  }

  const pixelOf = ({ lat, lon }: Point) => map.getPixelFromCoordinate(fromLonLat([lon, lat]));

  /** Finds a place for each name; only while the map stands, or they would dance. */
  function arrange(): void {
    const [width = 0, height = 0] = map.getSize() ?? [];
    const isInSight = (x: number, y: number) => x > -80 && y > -40 && x < width + 80 && y < height + 40;
    const taken = laidMarkers.flatMap(({ x, y, sprite }) => {
      const pixel = map.getPixelFromCoordinate([x, y]);
      if (!pixel || !isInSight(pixel[0] ?? 0, pixel[1] ?? 0)) return [];
      const left = (pixel[0] ?? 0) - sprite.anchorX;
      const top = (pixel[1] ?? 0) - sprite.anchorY;
      return [{ left: left + 4, top: top + 4, right: left + sprite.width - 4, bottom: top + sprite.height - 4 }];
    });
    placed = arrangeLabels(baseMap.labels(), {
      language: look.language,
      zoom: view.getZoom() ?? zoomRange.usual,
      at(point) {
        const pixel = pixelOf(point);
        if (!pixel || !isInSight(pixel[0] ?? 0, pixel[1] ?? 0)) return null;
        return { x: pixel[0] ?? 0, y: pixel[1] ?? 0 };
      },
      measure: (text, labelLook) => sprites.label(text, labelLook),
      taken,
    });
    listener.onTowns(placed.filter(({ label }) => isTown(label)).map(({ text }) => text));
    lay();
  }

  map.on('moveend', () => {
    lastSightAt = performance.now();
    arrange();
    listener.onMove(sight(), true);
  });
  view.on(['change:center', 'change:resolution'] as never, () => {
    if (performance.now() - lastSightAt < betweenSightsMs) return;
    lastSightAt = performance.now();
    listener.onMove(sight(), false);
  });
  map.on('click', ({ pixel }) => {
    const marker = pressedMarker(laidMarkers, pixel, (laid) => map.getPixelFromCoordinate([laid.x, laid.y]));
    if (marker) listener.onPress(marker);
  });
  map.on('pointermove', ({ pixel, dragging }) => {
    if (dragging) return;
    const marker = pressedMarker(laidMarkers, pixel, (laid) => map.getPixelFromCoordinate([laid.x, laid.y]));
    element.style.cursor = marker ? 'pointer' : '';
  });
  // Until the face is there, names are drawn in the system's own.
  void document.fonts?.load('700 15px "Manrope Variable"', 'Дніпро 12').then(() => {
    sprites = createSprites(palettes[look.theme], ratio);
    arrange();
  });

  baseMap.dress(look);
  baseMap.use(base);

  return {
    show(next) {
      markers = next;
      if (view.getAnimating() || view.getInteracting()) lay();
      else {
        lay();
        arrange();
      }
    },
    select(key) {
      if (key === selected) return;
      selected = key;
      lay();
    },
    standAt(place) {
      standing = place;
      lay();
    },
    dress(next) {
      if (next.theme !== look.theme) sprites = createSprites(palettes[next.theme], ratio);
      look = next;
      baseMap.dress(look);
      arrange();
    },
    showSatellite: (satellite) => baseMap.use(satellite ?? base),
    pad({ top, bottom }) {
      const center = view.getCenter();
      // The library keeps what is seen where it is. At first that is nothing yet: the middle belongs into the free part, or
      // the map would have moved a little each time a driver comes back to it.
      const isFirst = !view.padding;
      view.padding = [top, 0, bottom, 0];
      if (isFirst) view.setCenter(center);
    },
    moveTo({ lat, lon }, zoom) {
      view.cancelAnimations();
      view.animate({ center: fromLonLat([lon, lat]), duration: duration(), ...(zoom !== undefined && { zoom }) });
    },
    moveToAll(places) {
      view.cancelAnimations();
      view.fit(extentOf(places), { padding: [48, 48, 48, 48], maxZoom: zoomRange.highest, duration: duration() });
    },
    close() {
      map.setTarget();
      map.dispose();
      baseMap.close();
    },
  };
}

function extentOf(places: readonly Point[]): number[] {
  const xs = places.map(({ lon }) => lon);
  const ys = places.map(({ lat }) => lat);
  return transformExtent([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], degrees, metres);
}

function duration(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : moveMs;
}

/** 999, then 1k, 1.2k, 12k: more does not fit the disc. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${Math.floor(count / 100) / 10}k` : `${Math.floor(count / 1000)}k`;
}
