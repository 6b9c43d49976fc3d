import type { Translated } from '@fpay/contract/translated';
import type { Label, LabelLook, LineLabel } from '../basemap/label.ts';
import type { VectorLayers } from './paint-streets.ts';
import type { TileFeature, VectorLayer } from './vector-tile.ts';

type Names = Translated<string>;

export interface TileNames {
  places: Label[];
  lines: LineLabel[];
}

/** The position of a vector tile. */
interface TilePosition {
  z: number;
  x: number;
  y: number;
}

/** More names of streets do not fit a tile. */
const mostLines = 60;

const placeLooks: Record<string, { look: LabelLook; weight: number; fromZoom: number; toZoom?: number }> = {
  city: { look: 'city', weight: 1e6, fromZoom: 5, toZoom: 15.5 },
  town: { look: 'town', weight: 1e5, fromZoom: 8 },
  village: { look: 'village', weight: 1e4, fromZoom: 10.5 },
  suburb: { look: 'district', weight: 2e4, fromZoom: 11 },
  quarter: { look: 'district', weight: 5e3, fromZoom: 13 },
  neighbourhood: { look: 'district', weight: 4e3, fromZoom: 14 },
  hamlet: { look: 'village', weight: 1e3, fromZoom: 13 },
};
const streetWeights: Record<string, number> = {
  motorway: 900,
  trunk: 800,
  primary: 700,
  secondary: 600,
  tertiary: 500,
  minor: 300,
  busway: 200,
  service: 100,
  path: 50,
};

/** The names of a tile in all languages of the page, so that another language needs no other tile. */
export function namesIn(layers: VectorLayers, tile: TilePosition): TileNames {
  const places = featuresOf(layers, 'place').flatMap((feature) => placeLabel(feature, layers.get('place'), tile));
  const waters = featuresOf(layers, 'water_name');
  const waterPoints = waters.flatMap((feature) => waterLabel(feature, layers.get('water_name'), tile));
  const waterLines = waters.flatMap((feature) => lineLabels(feature, layers.get('water_name'), tile, 'water', 950));
  const streets = featuresOf(layers, 'transportation_name').flatMap((feature) => {
    const weight = streetWeights[String(feature.properties.class)] ?? 0;
    return weight > 0 ? lineLabels(feature, layers.get('transportation_name'), tile, 'street', weight) : [];
  });
  const lines = [...waterLines, ...streets].sort((a, b) => b.weight - a.weight);
  return { places: [...places, ...waterPoints], lines: lines.slice(0, mostLines) };
}

function featuresOf(layers: VectorLayers, name: string): readonly TileFeature[] {
  return layers.get(name)?.features ?? [];
}

/** For a reader of Latin letters, a Latin name is preferred to the local one. */
export function namesOf(properties: TileFeature['properties']): Names | null {
  const local = textOf(properties.name);
  const latin = textOf(properties['name:latin']) ?? local;
  const uk = textOf(properties['name:uk']) ?? local ?? latin;
  if (!uk) return null;
  return { uk, en: textOf(properties['name:en']) ?? latin ?? uk, pl: textOf(properties['name:pl']) ?? latin ?? uk };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function placeLabel({ properties, paths }: TileFeature, layer: VectorLayer | undefined, tile: TilePosition): Label[] {
  const names = namesOf(properties);
  const kind = placeLooks[String(properties.class)];
  const [x, y] = paths[0] ?? [];
  if (!names || !kind || !layer || x === undefined || y === undefined) return [];
  const look = properties.capital === 2 ? 'capital' : kind.look;
  const weight = kind.weight * (properties.capital === 2 ? 10 : 1) - Number(properties.rank ?? 20);
  return [
    { names, look, weight, fromZoom: kind.fromZoom, toZoom: kind.toZoom ?? 20, ...placeOf(x, y, layer.extent, tile) },
  ];
}

function waterLabel(feature: TileFeature, layer: VectorLayer | undefined, tile: TilePosition): Label[] {
  const names = namesOf(feature.properties);
  const [x, y] = feature.paths[0] ?? [];
  if (feature.kind !== 'point' || !names || !layer || x === undefined || y === undefined) return [];
  const isSea = feature.properties.class === 'ocean' || feature.properties.class === 'sea';
  const place = placeOf(x, y, layer.extent, tile);
  return [{ names, look: isSea ? 'sea' : 'water', weight: isSea ? 3e6 : 3e3, fromZoom: 5, toZoom: 20, ...place }];
}

function lineLabels(
  { kind, properties, paths, box }: TileFeature,
  layer: VectorLayer | undefined,
  { z, x: column, y: row }: TilePosition,
  look: LabelLook,
  weight: number,
): LineLabel[] {
  const names = namesOf(properties);
  if (kind !== 'line' || !names || !layer) return [];
  // Too short for any text, even in the closest view.
  if (Math.hypot(box[2] - box[0], box[3] - box[1]) < layer.extent / 40) return [];
  const toWorld = (value: number, index: number) => ((index % 2 === 0 ? column : row) + value / layer.extent) / 2 ** z;
  return paths.map((path) => ({ names, look, weight, path: path.map(toWorld) }));
}

function placeOf(x: number, y: number, extent: number, { z, x: column, y: row }: TilePosition) {
  const worldX = (column + x / extent) / 2 ** z;
  const worldY = (row + y / extent) / 2 ** z;
  return { lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * worldY))) * 180) / Math.PI, lon: (worldX - 0.5) * 360 };
}
