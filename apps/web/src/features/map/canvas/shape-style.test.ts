import Feature from 'ol/Feature.js';
import { describe, expect, it } from 'vitest';
import { type MapTheme, palettes } from '../drawing/palette.ts';
import { shapeStyle } from './shape-style.ts';
import type { MapLook } from './station-map.ts';

type Properties = Record<string, unknown>;
const styleOf = (properties: Properties, look: Partial<MapLook> = {}) =>
  shapeStyle({ theme: 'light', language: 'uk', ...look })(new Feature(properties));
const fillOf = (properties: Properties, theme: MapTheme) => styleOf(properties, { theme })?.getFill()?.getColor();
const strokeOf = (properties: Properties, theme: MapTheme) => styleOf(properties, { theme })?.getStroke()?.getColor();
const nameOf = (properties: Properties, language: MapLook['language']) =>
  styleOf(properties, { language })?.getText()?.getText();

describe("a provider's shapes", () => {
  it.each(['light', 'dark'] as const)('have the colours of the map: %s [MAP-23]', (theme) => {
    const { sea, park, builtUp, border, region, road, street } = palettes[theme];
    expect(fillOf({ layer: 'water' }, theme)).toBe(sea);
    expect(fillOf({ layer: 'park' }, theme)).toBe(park);
    expect(fillOf({ layer: 'landuse' }, theme)).toBe(builtUp);
    expect(fillOf({ layer: 'landcover', class: 'wood' }, theme)).toBe(park);
    expect(strokeOf({ layer: 'waterway' }, theme)).toBe(sea);
    expect(strokeOf({ layer: 'boundary', admin_level: 2 }, theme)).toBe(border);
    expect(strokeOf({ layer: 'boundary', admin_level: 4 }, theme)).toBe(region);
    expect(strokeOf({ layer: 'transportation', class: 'motorway' }, theme)).toBe(road);
    expect(strokeOf({ layer: 'transportation', class: 'minor' }, theme)).toBe(street);
  });

  it('are omitted where the map does not use them', () => {
    for (const properties of [
      { layer: 'building' },
      { layer: 'landcover', class: 'ice' },
      { layer: 'boundary', admin_level: 8 },
      { layer: 'place', class: 'country', name: 'Україна' },
      { layer: 'place', class: 'city' },
    ]) {
      expect(styleOf(properties), JSON.stringify(properties)).toBeUndefined();
    }
  });

  it('have town names in the language of the page, otherwise the local ones [MAP-24]', () => {
    const kyiv = { layer: 'place', class: 'city', name: 'Kyiv', 'name:uk': 'Київ', 'name:pl': 'Kijów' };
    expect((['uk', 'en', 'pl'] as const).map((language) => nameOf(kyiv, language))).toEqual(['Київ', 'Kyiv', 'Kijów']);
    expect(nameOf({ layer: 'place', class: 'village', name: 'Олександрівка' }, 'en')).toBe('Олександрівка');
  });
});
