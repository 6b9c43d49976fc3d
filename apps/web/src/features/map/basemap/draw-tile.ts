import type { Palette } from '../palette.ts';
import {
  areasOf,
  clipRing,
  linesOf,
  type Rectangle,
  runsWithin,
  shapeOf,
  smoothed,
  type TileShape,
  touches,
  worldX,
  worldY,
} from './geometry.ts';
import { mainRoads } from './main-roads.ts';
import type { UkraineFile } from './source.ts';
import { extendedLink, waterLinks } from './water-links.ts';

export interface Tile {
  z: number;
  x: number;
  y: number;
  /** Device pixels. */
  sizePx: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Above this level corners are smoothed, because the data was simplified for the whole country. */
const smoothFromLevel = 6;
/** Above this level a river's simplified line would run through streets, so only areas are drawn as water. */
const riversToLevel = 7;
/** Above this level the schematic roads between cities would run through houses. */
const roadsToLevel = 11;
/** The extent of the file. Outside of it there is no data, and land is drawn. */
const known: Rectangle = [worldX(13), worldY(56), worldX(44), worldY(42)];
const bleedPx = 4;

/**
 * Draws tiles of the embedded map: water, land, rivers, borders. Labels are drawn separately, because tiles would cut
 * them.
 */
export function createTilePainter(file: UkraineFile) {
  const rough = shapesOf(file);
  let smooth: ReturnType<typeof shapesOf> | null = null;
  const shapesFor = (level: number) => {
    if (level < smoothFromLevel) return rough;
    smooth ??= smoothedShapes(rough);
    return smooth;
  };

  return (context: Context, tile: Tile, palette: Palette): void => {
    const { ukraine, abroad, water, links, rivers, roads, regions, borders } = shapesFor(tile.z);
    const brush = createBrush(context, tile);
    context.fillStyle = palette.abroad;
    context.fillRect(0, 0, tile.sizePx, tile.sizePx);
    brush.fillBox(known, palette.sea);
    brush.fill(abroad, palette.abroad);
    brush.fill(ukraine, palette.land);
    if (tile.z <= riversToLevel) brush.stroke(rivers, palette.sea, riverWidth(tile.z));
    // After the river's line, so that the line is hidden where the water is wide.
    brush.fill(water, palette.sea);
    brush.stroke(links, palette.sea, linkWidth(tile.z));
    if (tile.z <= roadsToLevel) brush.stroke(roads, palette.highway, roadWidth(tile.z));
    if (tile.z >= 4) brush.stroke(regions, palette.region, 1);
    brush.stroke(borders, palette.borderHalo, 5);
    brush.stroke(borders, palette.border, 1.5);
  };
}

function shapesOf({ countries, cities, water, rivers, oblastLines, countryLines }: UkraineFile) {
  const lands = (isOurs: boolean) =>
    countries.features
      .filter(({ properties }) => (properties.c === 'UKR') === isOurs)
      .flatMap(({ geometry }) => areasOf(geometry));
  const waters = water.features.flatMap(({ geometry }) => areasOf(geometry));
  return {
    ukraine: lands(true),
    abroad: lands(false),
    water: waters,
    links: waterLinks(waters).map((path) => shapeOf([extendedLink(path)])),
    rivers: rivers.features.flatMap(({ geometry }) => linesOf(geometry)),
    roads: mainRoads({ cities }).flatMap((coordinates) => linesOf({ type: 'LineString', coordinates })),
    regions: oblastLines.geometries.flatMap(linesOf),
    borders: countryLines.geometries.flatMap(linesOf),
  };
}

function smoothedShapes({
  ukraine,
  abroad,
  water,
  links,
  rivers,
  roads,
  regions,
  borders,
}: ReturnType<typeof shapesOf>) {
  const areas = (shapes: TileShape[]) => shapes.map((shape) => smoothed(shape, true));
  const lines = (shapes: TileShape[]) => shapes.map((shape) => smoothed(shape, false));
  return {
    ukraine: areas(ukraine),
    abroad: areas(abroad),
    water: areas(water),
    links,
    rivers: lines(rivers),
    roads: lines(roads),
    regions: lines(regions),
    borders: lines(borders),
  };
}

/** The narrow part of a river: about 250 m, and never too thin to be seen. CSS px. */
function linkWidth(level: number): number {
  return Math.max(1.2, (250 * 512 * 2 ** level) / 26_000_000);
}

/** In CSS px. */
function roadWidth(level: number): number {
  return Math.max(0.8, (level - 3) * 0.35);
}

/** In CSS px. */
function riverWidth(level: number): number {
  return Math.max(1, (level - 3) * 0.75);
}

function createBrush(context: Context, { z, x, y, sizePx, ratio }: Tile) {
  const scale = sizePx * 2 ** z;
  const bleed = (bleedPx * ratio) / scale;
  const left = x / 2 ** z;
  const top = y / 2 ** z;
  const seen: Rectangle = [left - bleed, top - bleed, left + 2 ** -z + bleed, top + 2 ** -z + bleed];
  const px = (worldX: number) => (worldX - left) * scale;
  const py = (worldY: number) => (worldY - top) * scale;
  // Shapes smaller than a pixel are omitted.
  const isSeen = ({ box }: TileShape) =>
    touches(box, seen) && Math.max(box[2] - box[0], box[3] - box[1]) * scale >= ratio;

  function trace(points: ArrayLike<number>, first: number, last: number): void {
    context.moveTo(px(points[first] ?? 0), py(points[first + 1] ?? 0));
    for (let at = first + 2; at <= last; at += 2) context.lineTo(px(points[at] ?? 0), py(points[at + 1] ?? 0));
  }

  return {
    fillBox([fromX, fromY, toX, toY]: Rectangle, colour: string): void {
      context.fillStyle = colour;
      const [ax, ay] = [Math.max(0, px(fromX)), Math.max(0, py(fromY))];
      const [bx, by] = [Math.min(sizePx, px(toX)), Math.min(sizePx, py(toY))];
      if (bx > ax && by > ay) context.fillRect(ax, ay, bx - ax, by - ay);
    },

    fill(shapes: readonly TileShape[], colour: string): void {
      context.beginPath();
      for (const shape of shapes) {
        if (!isSeen(shape)) continue;
        for (const path of shape.paths) {
          const ring = clipRing(path, seen);
          if (ring.length < 6) continue;
          trace(ring, 0, ring.length - 2);
          context.closePath();
        }
      }
      context.fillStyle = colour;
      context.fill('evenodd');
      // Without the stroke, the sea would be visible between two neighbours.
      context.strokeStyle = colour;
      context.lineWidth = ratio * 0.75;
      context.stroke();
    },

    stroke(shapes: readonly TileShape[], colour: string, width: number): void {
      context.beginPath();
      for (const shape of shapes) {
        if (!isSeen(shape)) continue;
        for (const path of shape.paths) for (const [first, last] of runsWithin(path, seen)) trace(path, first, last);
      }
      context.strokeStyle = colour;
      context.lineWidth = width * ratio;
      context.lineJoin = 'round';
      context.lineCap = 'round';
      context.stroke();
    },
  };
}
