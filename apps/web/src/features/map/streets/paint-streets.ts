import type { Palette } from '../palette.ts';
import { areaColour, borderStyle, type FillColour, type RoadStyle, roadStyle, waterwayWidth } from './street-style.ts';
import type { TileFeature, VectorLayer } from './vector-tile.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
export type VectorLayers = ReadonlyMap<string, VectorLayer>;

/** The part of a vector tile that is painted as one tile of the map. */
export interface TilePart {
  /** How many times the vector tile is wider than the part. */
  scale: number;
  /** The part's column and row within the vector tile. */
  column: number;
  row: number;
  /** Device pixels. */
  sizePx: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
  /** The zoom of the view at which the part is shown. */
  zoom: number;
}

/** Lines near the part's edge are partly within it. */
const bleedPx = 24;
const areaLayers = ['landuse', 'landcover', 'park', 'water'] as const;

/** Draws a tile in the order of a map: areas, water, tunnels, outlines, roads, bridges, buildings, borders. */
export function paintStreets(context: Context, layers: VectorLayers, part: TilePart, palette: Palette): void {
  const brush = createStreetBrush(context, part);
  context.fillStyle = palette.land;
  context.fillRect(0, 0, part.sizePx, part.sizePx);
  for (const name of areaLayers) fillAreas(brush, layers, name, part.zoom, palette);
  brush.stroke('waterway', layers, (feature) => {
    const width = waterwayWidth(feature.properties, part.zoom);
    return width > 0 ? { key: String(width), colour: palette.sea, width } : null;
  });
  fillAreas(brush, layers, 'building', part.zoom, palette);
  paintRoads(brush, layers, part.zoom, palette);
  brush.stroke('boundary', layers, (feature) => {
    const colour = borderStyle(feature.properties, part.zoom);
    return colour && { key: colour, colour: palette[colour], width: colour === 'border' ? 1.5 : 1 };
  });
}

function fillAreas(brush: StreetBrush, layers: VectorLayers, name: string, zoom: number, palette: Palette): void {
  const byColour = new Map<FillColour, TileFeature[]>();
  for (const feature of layers.get(name)?.features ?? []) {
    const colour = feature.kind === 'area' ? areaColour(name, feature.properties, zoom) : null;
    if (!colour) continue;
    const same = byColour.get(colour);
    if (same) same.push(feature);
    else byColour.set(colour, [feature]);
  }
  for (const [colour, features] of byColour) brush.fill(features, layers.get(name)?.extent ?? 1, palette[colour]);
}

/** Roads of one look are one path, because a stroke for each of thousands would take several times longer. */
function paintRoads(brush: StreetBrush, layers: VectorLayers, zoom: number, palette: Palette): void {
  const layer = layers.get('transportation');
  if (!layer) return;
  const groups = new Map<string, { style: RoadStyle; features: TileFeature[] }>();
  for (const feature of layer.features) {
    if (feature.kind !== 'line') continue;
    const style = roadStyle(feature.properties, zoom);
    if (!style) continue;
    const key = `${style.order} ${style.width}`;
    const group = groups.get(key);
    if (group) group.features.push(feature);
    else groups.set(key, { style, features: [feature] });
  }
  const sorted = [...groups.values()].sort((a, b) => a.style.order - b.style.order);
  const draw = (isBridge: boolean) => {
    const level = sorted.filter(({ style }) => style.order >= 90 === isBridge);
    for (const { style, features } of level) {
      if (style.casing > 0) brush.line(features, layer.extent, { colour: palette.roadCasing, width: style.casing });
    }
    for (const { style, features } of level) {
      const { width, dash } = style;
      brush.line(features, layer.extent, { colour: palette[style.colour], width, dash });
    }
  };
  draw(false);
  draw(true);
}

interface LineLook {
  colour: string;
  width: number;
  dash?: readonly number[];
}

type StreetBrush = ReturnType<typeof createStreetBrush>;

function createStreetBrush(context: Context, { scale, column, row, sizePx, ratio }: TilePart) {
  const bleed = bleedPx * ratio;

  function trace(features: readonly TileFeature[], extent: number): void {
    const factor = (sizePx * scale) / extent;
    const [left, top] = [column * sizePx, row * sizePx];
    context.beginPath();
    for (const { paths, box, kind } of features) {
      if (box[2] * factor - left < -bleed || box[0] * factor - left > sizePx + bleed) continue;
      if (box[3] * factor - top < -bleed || box[1] * factor - top > sizePx + bleed) continue;
      for (const path of paths) {
        context.moveTo((path[0] as number) * factor - left, (path[1] as number) * factor - top);
        for (let at = 2; at < path.length; at += 2) {
          context.lineTo((path[at] as number) * factor - left, (path[at + 1] as number) * factor - top);
        }
        if (kind === 'area') context.closePath();
      }
    }
  }

  function line(features: readonly TileFeature[], extent: number, { colour, width, dash = [] }: LineLook): void {
    trace(features, extent);
    context.strokeStyle = colour;
    context.lineWidth = width * ratio;
    context.lineJoin = 'round';
    context.lineCap = dash.length > 0 ? 'butt' : 'round';
    context.setLineDash(dash.map((length) => length * ratio));
    context.stroke();
    context.setLineDash([]);
  }

  return {
    line,
    fill(features: readonly TileFeature[], extent: number, colour: string): void {
      trace(features, extent);
      context.fillStyle = colour;
      context.fill();
    },
    /** Draws the lines of a layer, grouped by the key of their look. */
    stroke(
      name: string,
      layers: VectorLayers,
      lookOf: (feature: TileFeature) => (LineLook & { key: string }) | null,
    ): void {
      const layer = layers.get(name);
      const groups = new Map<string, { look: LineLook; features: TileFeature[] }>();
      for (const feature of layer?.features ?? []) {
        const look = feature.kind === 'line' ? lookOf(feature) : null;
        if (!look) continue;
        const group = groups.get(look.key);
        if (group) group.features.push(feature);
        else groups.set(look.key, { look, features: [feature] });
      }
      for (const { look, features } of groups.values()) line(features, layer?.extent ?? 1, look);
    },
  };
}
