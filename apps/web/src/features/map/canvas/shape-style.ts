import type { FeatureLike } from 'ol/Feature.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import { type Palette, palettes } from '../drawing/palette.ts';
import { labelFonts } from './sprites.ts';
import type { MapLook } from './station-map.ts';

type Draw = (feature: FeatureLike, palette: Palette) => Style | null;

const area = (colour: string) => new Style({ fill: new Fill({ color: colour }) });
const roadWidths: Record<string, number> = { motorway: 5, trunk: 4.5, primary: 4, secondary: 3, tertiary: 2.5 };

/** By layer of the OpenMapTiles schema, which most vector tiles follow. Other layers are not drawn. */
const draws: Record<string, Draw> = {
  water: (_, { sea }) => area(sea),
  landuse: (_, { builtUp }) => area(builtUp),
  landcover: (feature, { park }) => (['wood', 'grass'].includes(feature.get('class')) ? area(park) : null),
  park: (_, { park }) => area(park),
  waterway: (_, { sea }) => new Style({ stroke: new Stroke({ color: sea, width: 1.5 }) }),
  boundary: (feature, { border, region }) => {
    const level = Number(feature.get('admin_level'));
    if (level > 4) return null;
    return new Style({ stroke: new Stroke({ color: level <= 2 ? border : region, width: level <= 2 ? 1.5 : 1 }) });
  },
  transportation: (feature, { road, street }) => {
    const width = roadWidths[feature.get('class')];
    return new Style({ stroke: new Stroke({ color: width ? road : street, width: width ?? 1.5 }), zIndex: width ?? 1 });
  },
};

/**
 * Draws a provider's shapes in the map's own colours, with names in the page's language where the provider has them.
 */
export function shapeStyle({ theme, language }: MapLook) {
  const palette = palettes[theme];
  return (feature: FeatureLike): Style | undefined => {
    const layer = String(feature.get('layer'));
    if (layer === 'place') return placeName(feature, palette, language);
    return draws[layer]?.(feature, palette) ?? undefined;
  };
}

function placeName(feature: FeatureLike, palette: Palette, language: string): Style | undefined {
  const kind = String(feature.get('class'));
  const text = feature.get(`name:${language}`) ?? feature.get('name');
  if (!text || !['city', 'town', 'village', 'suburb'].includes(kind)) return undefined;
  const isCity = kind === 'city';
  return new Style({
    zIndex: isCity ? 100 : 50,
    text: new Text({
      text: String(text),
      font: isCity ? labelFonts.city : labelFonts.town,
      fill: new Fill({ color: isCity ? palette.cityLabel : palette.placeLabel }),
      stroke: new Stroke({ color: palette.labelHalo, width: 3.5 }),
    }),
  });
}
