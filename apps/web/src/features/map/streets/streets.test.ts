import Feature from 'ol/format/MVT.js';
import { describe, expect, it, vi } from 'vitest';
import { streetTile } from '../../../../../../e2e/support/street-tiles.ts';
import { encodeTile } from '../../../../../../e2e/support/vector-tile.ts';
import { straightRun } from '../basemap/line-labels.ts';
import { namesIn, namesOf } from './street-names.ts';
import { areaColour, borderStyle, drawnLayers, namedLayers, roadStyle } from './street-style.ts';
import { openTileSource, tileJsonOf } from './tile-source.ts';
import { readVectorTile } from './vector-tile.ts';

const wanted = new Set([...drawnLayers, ...namedLayers]);
/** The middle of Dnipro. */
const dnipro = { z: 11, x: 1223, y: 708 };
const bytesOf = ({ z, x, y }: typeof dnipro) => new Uint8Array(streetTile(z, x, y));

describe('a vector tile', () => {
  it('is read as the map library reads it, shape by shape [MAP-23]', () => {
    const bytes = bytesOf(dnipro);
    const layers = readVectorTile(bytes, wanted);
    const library = new Feature({ layerName: 'mvt:layer', layers: [...wanted] }).readFeatures(bytes.slice().buffer);
    const count = [...layers.values()].reduce((sum, { features }) => sum + features.length, 0);
    expect(count).toBeGreaterThan(10);
    expect(count).toBe(library.length);
    const key = (properties: object) => JSON.stringify(Object.entries(properties).sort());
    const ours = [...layers].flatMap(([layer, { features }]) =>
      features.map(({ properties, box }) => `${key({ ...properties, 'mvt:layer': layer })} ${box}`),
    );
    const theirs = library.map((feature) => `${key(feature.getProperties())} ${feature.getGeometry()?.getExtent()}`);
    expect(ours.sort()).toEqual(theirs.sort());
  });

  it('without the wanted layers, or empty, has nothing to draw; one cut off is refused', () => {
    expect(readVectorTile(bytesOf(dnipro), new Set(['poi'])).size).toBe(0);
    expect(readVectorTile(new Uint8Array(), wanted).size).toBe(0);
    expect(() => readVectorTile(bytesOf(dnipro).slice(0, -3), wanted)).toThrow('incomplete');
  });
});

describe('the style', () => {
  it('draws larger roads wider and later, bridges last, ramps narrower', () => {
    const at = (properties: Record<string, string | number>) => roadStyle(properties, 14);
    const order = ['path', 'service', 'minor', 'tertiary', 'secondary', 'primary', 'trunk', 'motorway'];
    const styles = order.map((kind) => roadStyle({ class: kind }, 16));
    expect(styles.map((style) => style?.width)).toEqual(
      [...styles.map((style) => style?.width)].sort((a, b) => (a ?? 0) - (b ?? 0)),
    );
    expect(styles.map((style) => style?.order)).toEqual(
      [...styles.map((style) => style?.order)].sort((a, b) => (a ?? 0) - (b ?? 0)),
    );
    const [plain, bridge, tunnel] = [{}, { brunnel: 'bridge' }, { brunnel: 'tunnel' }].map((more) =>
      at({ class: 'minor', ...more }),
    );
    expect(bridge?.order).toBeGreaterThan(at({ class: 'motorway' })?.order ?? Infinity);
    expect(tunnel?.order).toBeLessThan(plain?.order ?? -Infinity);
    expect(tunnel?.dash).not.toEqual([]);
    expect(at({ class: 'trunk', ramp: 1 })?.width).toBeLessThan(at({ class: 'trunk' })?.width ?? 0);
  });

  it.each([
    ['minor', 11, false],
    ['minor', 13, true],
    ['motorway', 6, true],
    ['service', 14, true],
    ['unknown', 16, false],
  ])('%s at zoom %i is drawn: %s', (kind, zoom, isDrawn) => {
    expect(roadStyle({ class: kind }, zoom) !== null).toBe(isDrawn);
  });

  it('colours areas by what they are, and buildings only near', () => {
    expect(areaColour('water', { class: 'river' }, 8)).toBe('sea');
    expect(areaColour('landcover', { class: 'wood' }, 10)).toBe('park');
    expect(areaColour('landcover', { class: 'farmland' }, 10)).toBeNull();
    expect(areaColour('landuse', { class: 'residential' }, 10)).toBe('builtUp');
    expect([13, 14].map((zoom) => areaColour('building', {}, zoom))).toEqual([null, 'building']);
  });

  it.each([
    [{ admin_level: 2 }, 'border'],
    [{ admin_level: 4 }, 'region'],
    [{ admin_level: 6 }, null],
    [{ admin_level: 2, maritime: 1 }, null],
    [{ admin_level: 2, disputed: 1 }, 'border'],
    [{ admin_level: 2, disputed: 1, claimed_by: 'UA' }, 'border'],
    [{ admin_level: 2, disputed: 1, claimed_by: 'XX' }, null],
  ])('draws a border as Ukraine sees it: %j is %s', (properties, expected) => {
    expect(borderStyle(properties as Record<string, number>, 9)).toBe(expected);
  });
});

describe('names', () => {
  it('are in the language of the page where the tile has it, else in letters that can be read [MAP-24]', () => {
    expect(namesOf({ name: 'Warszawa', 'name:uk': 'Варшава', 'name:latin': 'Warszawa' })).toEqual({
      uk: 'Варшава',
      en: 'Warszawa',
      pl: 'Warszawa',
    });
    expect(namesOf({ name: 'вулиця Гоголя' })).toEqual({
      uk: 'вулиця Гоголя',
      en: 'вулиця Гоголя',
      pl: 'вулиця Гоголя',
    });
    expect(namesOf({ class: 'minor' })).toBeNull();
  });

  it('of places and streets are where the tile has them, the largest street first', () => {
    const { places, lines } = namesIn(readVectorTile(bytesOf(dnipro), wanted), dnipro);
    const city = places.find(({ look }) => look === 'city');
    expect([city?.names.en, city?.lat.toFixed(3), city?.lon.toFixed(3)]).toEqual(['Dnipro', '48.458', '35.046']);
    expect(lines.map(({ names }) => names.uk)).toContain('Січеславська Набережна');
    const weights = lines.map(({ weight }) => weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
  });

  it('lie on the straight part of a street, never upside down', () => {
    const bent = [0, 0, 100, 0, 100, 100];
    expect(straightRun(bent, 50, 80)).toEqual({ x: 50, y: 0, angle: 0 });
    expect(straightRun(bent, 100, 80)).toBeNull();
    expect(straightRun(bent, 20, 80)).toBeNull();
    expect(straightRun([100, 10, 0, 0], 50, 40)?.angle).toBeCloseTo(Math.atan2(10, 100));
  });
});

describe('a provider', () => {
  it('is opened by its TileJSON: template, last zoom, and attribution as text', async () => {
    const document = {
      tiles: ['https://tiles.example/v1/{z}/{x}/{y}.pbf'],
      maxzoom: 13,
      attribution: '<a href="https://openfreemap.org">OpenFreeMap</a> &copy; OpenMapTiles',
    };
    const fetched: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      fetched.push(url);
      return url.endsWith('planet') ? Response.json(document) : new Response(encodeTile({}).buffer as ArrayBuffer);
    });
    const source = await openTileSource({ kind: 'mvt', url: 'https://tiles.example/planet', maxZoom: 14 });
    expect(source).toMatchObject({ content: 'mvt', maxZoom: 13, attribution: 'OpenFreeMap © OpenMapTiles' });
    // The service answers 200 with an empty body where it has no tile.
    expect(await source.tile(5, 6, 7)).toBeNull();
    expect(fetched).toEqual(['https://tiles.example/planet', 'https://tiles.example/v1/5/6/7.pbf']);
    vi.unstubAllGlobals();
  });

  it('that names no tiles is refused; a relative template belongs to its own host', () => {
    expect(() => tileJsonOf({ tiles: [] }, 'https://tiles.example/planet')).toThrow('names no tiles');
    expect(tileJsonOf({ tiles: ['/own/{z}/{x}/{y}.pbf'] }, 'https://tiles.example/planet').template).toBe(
      'https://tiles.example/own/{z}/{x}/{y}.pbf',
    );
  });
});
