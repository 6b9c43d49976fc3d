import type { Palette } from '../palette.ts';
import type { TileFeature } from './vector-tile.ts';

/** Drawn layers of the OpenMapTiles schema. */
export const drawnLayers = [
  'landcover',
  'landuse',
  'park',
  'water',
  'waterway',
  'transportation',
  'building',
  'boundary',
];
/** Layers that only carry names. */
export const namedLayers = ['place', 'transportation_name', 'water_name'];

export type FillColour = keyof Pick<Palette, 'sea' | 'park' | 'builtUp' | 'building' | 'sand'>;

/** The colour of an area; null when it is not drawn. */
export function areaColour(layer: string, properties: TileFeature['properties'], zoom: number): FillColour | null {
  const kind = String(properties.class ?? '');
  if (layer === 'water') return 'sea';
  if (layer === 'park') return zoom >= 11 ? null : 'park';
  if (layer === 'building') return zoom >= 14 ? 'building' : null;
  if (layer === 'landcover') {
    if (kind === 'wood' || kind === 'grass') return 'park';
    return kind === 'sand' ? 'sand' : null;
  }
  if (layer !== 'landuse') return null;
  if (['cemetery', 'pitch', 'playground', 'stadium'].includes(kind)) return 'park';
  const built = ['residential', 'suburb', 'quarter', 'neighbourhood', 'commercial', 'industrial', 'retail', 'railway'];
  return built.includes(kind) ? 'builtUp' : null;
}

/** Road widths in CSS px at these zooms of the view; between them the width grows evenly. */
const zooms = [6, 9, 11, 13, 15, 17] as const;
const widths: Record<string, readonly number[]> = {
  motorway: [1, 1.8, 3, 5, 10, 20],
  trunk: [0.8, 1.6, 2.8, 4.8, 9.5, 19],
  primary: [0.5, 1.2, 2.3, 4.2, 8.5, 17],
  secondary: [0, 0.8, 1.7, 3.3, 7.5, 15],
  tertiary: [0, 0, 1.2, 2.6, 6.5, 13],
  minor: [0, 0, 0, 1.3, 4.5, 10],
  busway: [0, 0, 0, 1.3, 4, 8],
  service: [0, 0, 0, 0, 2, 6],
  pier: [0, 0, 0, 1, 3, 6],
  track: [0, 0, 0, 0, 1.2, 2.5],
  path: [0, 0, 0, 0, 1, 2],
  rail: [0, 0, 0.8, 1, 1.4, 2.2],
  transit: [0, 0, 0, 0.8, 1.2, 1.8],
  ferry: [0, 0.6, 0.8, 1, 1, 1],
};
/** From the least to the most important, which is drawn last. */
const order = Object.keys(widths).reverse();
const rampShare = 0.6;
/** Roads have an outline from this zoom on. */
const casingFromZoom = 11;

export interface RoadStyle {
  /** CSS px. */
  width: number;
  /** Of the outline below the road; 0 for none. */
  casing: number;
  colour: keyof Pick<Palette, 'road' | 'street' | 'rail' | 'path' | 'highway' | 'ferry'>;
  /** CSS px. */
  dash: readonly number[];
  /** Larger is drawn later; bridges after everything, tunnels first. */
  order: number;
  isTunnel: boolean;
}

const important = new Set(['motorway', 'trunk', 'primary', 'secondary']);

/** The style of a road, railway or ferry at a zoom of the view; null when it is not drawn. */
export function roadStyle(properties: TileFeature['properties'], zoom: number): RoadStyle | null {
  const kind = String(properties.class ?? '').replace(/_construction$/, '');
  const byZoom = widths[kind];
  if (!byZoom) return null;
  const full = widthAt(byZoom, zoom);
  const width = properties.ramp === 1 ? full * rampShare : full;
  if (width < 0.3) return null;
  const isTunnel = properties.brunnel === 'tunnel';
  const isBridge = properties.brunnel === 'bridge';
  const dash = dashOf(kind, isTunnel, width);
  const hasCasing = zoom >= casingFromZoom && dash.length === 0 && width >= 2;
  return {
    width,
    casing: hasCasing ? width + (zoom >= 14 ? 2 : 1.4) : 0,
    colour: colourOf(kind, zoom),
    dash,
    order: order.indexOf(kind) + (isBridge ? 100 : isTunnel ? -100 : 0),
    isTunnel,
  };
}

function colourOf(kind: string, zoom: number): RoadStyle['colour'] {
  if (kind === 'rail' || kind === 'transit') return 'rail';
  if (kind === 'ferry') return 'ferry';
  if (kind === 'path' || kind === 'track') return 'path';
  // A white line on the land cannot be seen from far away, where roads have no outline.
  if (zoom < casingFromZoom) return 'highway';
  return important.has(kind) || zoom >= 14 ? 'road' : 'street';
}

function dashOf(kind: string, isTunnel: boolean, width: number): readonly number[] {
  if (kind === 'rail') return [6, 3];
  if (kind === 'ferry') return [5, 4];
  if (kind === 'path' || kind === 'track') return [2 + width, 2 + width / 2];
  return isTunnel ? [width * 1.2, width * 0.8] : [];
}

function widthAt(byZoom: readonly number[], zoom: number): number {
  const last = zooms.length - 1;
  const next = zooms.findIndex((known) => known >= zoom);
  if (next === 0) return byZoom[0] ?? 0;
  if (next < 0) return byZoom[last] ?? 0;
  const [low = 0, high = 0] = [zooms[next - 1], zooms[next]];
  const [from = 0, to = 0] = [byZoom[next - 1], byZoom[next]];
  return from + ((to - from) * (zoom - low)) / (high - low);
}

/**
 * Borders of states and regions. A disputed line is drawn only as Ukraine sees it, and a border in the sea is not drawn.
 */
export function borderStyle(properties: TileFeature['properties'], zoom: number): 'border' | 'region' | null {
  const level = Number(properties.admin_level ?? 0);
  if (properties.maritime === 1 || level === 0 || level > 4) return null;
  if (properties.disputed === 1 && (properties.claimed_by ?? 'UA') !== 'UA') return null;
  if (level <= 2) return 'border';
  return zoom >= 7 ? 'region' : null;
}

/** Rivers without a surface of their own, in CSS px; 0 when not drawn. */
export function waterwayWidth(properties: TileFeature['properties'], zoom: number): number {
  if (properties.brunnel === 'tunnel') return 0;
  const isLarge = properties.class === 'river' || properties.class === 'canal';
  if (isLarge) return Math.max(0.8, (zoom - 7) * 0.45);
  return zoom >= 14 ? 1 : 0;
}
