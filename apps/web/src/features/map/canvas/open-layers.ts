import { defaults as usualInteractions } from 'ol/interaction/defaults.js';
import OlMap from 'ol/Map.js';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js';
import OlView from 'ol/View.js';
import type { Box } from '../atlas/clusters.ts';
import type { Point } from '../atlas/distance.ts';
import type { Marker } from '../atlas/markers.ts';
import type { PlacedLabel } from '../basemap/label.ts';
import { palettes } from '../palette.ts';
import { createBaseMap } from './base-map.ts';
import { placeNames } from './place-names.ts';
import { type PlacedMarker, pressedMarker } from './press.ts';
import { type PlacedSprite, SpriteLayer } from './sprite-layer.ts';
import { createSprites, type Sprite } from './sprites.ts';
import { type MapOptions, type StationMap, type Viewport, zoomRange } from './station-map.ts';

/** Minimum interval between two requests for markers while the map moves. */
const requestIntervalMs = 120;
/** A higher density is not visible and makes every frame more expensive. */
const mostPixelRatio = 2;
const moveMs = 250;
/** The centre of the map stays within Ukraine and its borders. */
const region: Box = [21, 44, 41, 53];
const [degrees, metres] = ['EPSG:4326', 'EPSG:3857'];

/** The map on OpenLayers, which handles movement, tiles and positions; labels and markers are drawn by us. */
export function createStationMap({ element, view: start, base, look: firstLook, listener }: MapOptions): StationMap {
  const ratio = Math.min(mostPixelRatio, Math.max(1, window.devicePixelRatio));
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
  let placedMarkers: PlacedMarker[] = [];
  let placed: PlacedLabel[] = [];
  let selected: string | null = null;
  let position: Point | null = null;
  let lastRequestAt = 0;

  const baseMap = createBaseMap({
    map,
    ratio,
    onChange() {
      listener.onBase(baseMap.state());
      // While the map moves, names would jump; they are placed when it stops.
      if (!view.getAnimating() && !view.getInteracting()) placeLabels();
    },
  });

  function viewport(): Viewport {
    const [lon = 0, lat = 0] = toLonLat(view.getCenter() ?? [0, 0]);
    const zoom = view.getZoom() ?? zoomRange.usual;
    const [west = 0, south = 0, east = 0, north = 0] = transformExtent(view.calculateExtent(), metres, degrees);
    return { view: { lat, lon, zoom }, screen: { box: [west, south, east, north], zoom } };
  }

  function spritesOf(marker: Marker): Sprite[] {
    if (marker.kind === 'place') return [sprites.marker(marker.look, marker.key === selected)];
    return [sprites.ring(marker), sprites.number(shortCount(marker.free + marker.busy + marker.off))];
  }

  /** Sets all sprites: names below, then markers from north to south, the selected one last, the own position on top. */
  function updateSprites(): void {
    const ordered = [...markers].sort(
      (a, b) => Number(a.key === selected) - Number(b.key === selected) || b.lat - a.lat,
    );
    placedMarkers = ordered.flatMap((marker) => {
      const [x = 0, y = 0] = fromLonLat([marker.lon, marker.lat]);
      const { dx, dy } = marker;
      return spritesOf(marker).map((sprite) => ({ marker, x, y, dx, dy, sprite }));
    });
    const names = placed.map(({ label, look: labelLook, text, dx, dy, angle }): PlacedSprite => {
      const [x = 0, y = 0] = fromLonLat([label.lon, label.lat]);
      return { x, y, dx, dy, sprite: sprites.label(text, labelLook, angle) };
    });
    layer.setSprites([...names, ...placedMarkers, ...(position ? [positionSprite(position)] : [])]);
  }

  function positionSprite({ lat, lon }: Point): PlacedSprite {
    const [x = 0, y = 0] = fromLonLat([lon, lat]);
    return { x, y, sprite: sprites.position() };
  }

  /** Places the names when the map is idle; while it moves they would jump. */
  function placeLabels(): void {
    const zoom = view.getZoom() ?? zoomRange.usual;
    const names = placeNames({ map, zoom, language: look.language, baseMap, sprites, markers: placedMarkers });
    placed = names.placed;
    listener.onTowns(names.towns);
    updateSprites();
  }

  map.on('moveend', () => {
    lastRequestAt = performance.now();
    placeLabels();
    listener.onMove(viewport(), true);
  });
  view.on(['change:center', 'change:resolution'] as never, () => {
    if (performance.now() - lastRequestAt < requestIntervalMs) return;
    lastRequestAt = performance.now();
    listener.onMove(viewport(), false);
  });
  map.on('click', ({ pixel, coordinate }) => {
    const marker = pressedMarker(placedMarkers, pixel, (sprite) => map.getPixelFromCoordinate([sprite.x, sprite.y]));
    if (marker) return listener.onPress(marker);
    const [lon = 0, lat = 0] = toLonLat(coordinate);
    listener.onPlace?.({ lat, lon });
  });
  map.on('pointermove', ({ pixel, dragging }) => {
    if (dragging) return;
    const marker = pressedMarker(placedMarkers, pixel, (sprite) => map.getPixelFromCoordinate([sprite.x, sprite.y]));
    element.style.cursor = marker ? 'pointer' : '';
  });
  // Until the font is loaded, labels use the system's font.
  void document.fonts?.load('700 15px "Manrope Variable"', 'Дніпро 12').then(() => {
    sprites = createSprites(palettes[look.theme], ratio);
    placeLabels();
  });

  baseMap.setStyle(look);
  baseMap.use(base);

  return {
    show(next) {
      markers = next;
      if (view.getAnimating() || view.getInteracting()) updateSprites();
      else {
        updateSprites();
        placeLabels();
      }
    },
    select(key) {
      if (key === selected) return;
      selected = key;
      updateSprites();
    },
    showPosition(place) {
      position = place;
      updateSprites();
    },
    setStyle(next) {
      if (next.theme !== look.theme) sprites = createSprites(palettes[next.theme], ratio);
      look = next;
      baseMap.setStyle(look);
      placeLabels();
    },
    showSatellite: (satellite) => baseMap.use(satellite ?? base),
    pad({ top, bottom, left }) {
      const center = view.getCenter();
      // The library keeps the visible centre in place when the padding changes. At the first padding nothing is visible
      // yet, so the centre is moved into the free part; otherwise the map would shift a little at each visit.
      const isFirst = !view.padding;
      view.padding = [top, 0, bottom, left];
      if (isFirst) view.setCenter(center);
    },
    zoomBy(steps) {
      view.cancelAnimations();
      view.animate({ zoom: (view.getZoom() ?? zoomRange.usual) + steps, duration: duration() });
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

/** 999, then 1k, 1.2k, 12k, because more does not fit the disc. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${Math.floor(count / 100) / 10}k` : `${Math.floor(count / 1000)}k`;
}
