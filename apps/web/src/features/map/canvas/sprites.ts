import type { Shares } from '../atlas/clusters.ts';
import type { MarkerLook } from '../atlas/marker-look.ts';
import { ringSize } from '../atlas/markers.ts';
import type { LabelLook } from '../basemap/label.ts';
import { markerBox, markerShapes } from '../drawing/marker-shapes.ts';
import { arcsOf, eighths } from '../drawing/ring.ts';
import type { Palette } from '../palette.ts';
import { createSpriteSheets, type SpriteRect, type SpriteSheets } from './sprite-sheets.ts';

/** A small picture that is drawn once and used many times. Sizes in CSS px. */
export interface Sprite extends SpriteRect {
  width: number;
  height: number;
  /** The point of the picture that is placed on the position. */
  anchorX: number;
  anchorY: number;
}

const markerSize = { width: 41, selectedWidth: 58 } as const;
/** Space for the shadow. */
const shadowPx = 5;
const fontFamily = '"Manrope Variable", system-ui, sans-serif';
export const labelFonts = {
  capital: `800 19px ${fontFamily}`,
  city: `750 15px ${fontFamily}`,
  town: `600 13px ${fontFamily}`,
  village: `600 12px ${fontFamily}`,
  district: `700 13px ${fontFamily}`,
  street: `600 11.5px ${fontFamily}`,
  abroad: `550 12px ${fontFamily}`,
  water: `italic 600 13px ${fontFamily}`,
  sea: `italic 600 15px ${fontFamily}`,
} as const satisfies Record<LabelLook, string>;
const haloPx = 3.5;
/** Names along streets are drawn in steps of about three degrees. */
const angleStep = 0.05;
const mostWidths = 5000;
/** Sprites that were not used for long are removed and drawn again when needed. */
const mostSprites = 800;

/** Sprites for one theme and one pixel density; both change rarely, and then everything is drawn again. */
export function createSprites(palette: Palette, ratio: number) {
  const cache = new Map<string, Sprite>();
  const widths = new Map<string, number>();
  let sheets = createSpriteSheets(ratio);

  function cached(key: string, draw: (sheets: SpriteSheets) => Sprite): Sprite {
    const known = cache.get(key);
    if (known) return known;
    if (cache.size >= mostSprites) {
      cache.clear();
      sheets = createSpriteSheets(ratio);
    }
    const sprite = draw(sheets);
    cache.set(key, sprite);
    return sprite;
  }

  return {
    marker: (look: MarkerLook, isSelected: boolean) =>
      cached(`marker ${look.kind} ${look.state} ${look.isFree} ${isSelected}`, (to) =>
        drawMarker(look, isSelected, to),
      ),
    ring(shares: Shares) {
      const { free, busy, off } = eighths(shares);
      const size = ringSize(shares);
      return cached(`ring ${free} ${busy} ${off} ${size}`, (to) => drawRing({ free, busy, off }, size, palette, to));
    },
    number: (text: string) => cached(`number ${text}`, (to) => drawNumber(text, palette, to)),
    label(text: string, look: LabelLook, angle = 0) {
      const turned = Math.round(angle / angleStep) * angleStep;
      return cached(`label ${look} ${turned} ${text}`, (to) => drawLabel(text, look, turned, palette, to));
    },
    /** The size of a label, without drawing it. */
    measure(text: string, look: LabelLook) {
      const key = `${look} ${text}`;
      const width = widths.get(key) ?? sheets.widthOf(text, labelFonts[look]) + 2 * haloPx;
      if (widths.size > mostWidths) widths.clear();
      widths.set(key, width);
      return { width, height: heightOf(look) };
    },
    position: () => cached('position', drawPosition),
  };
}

export type Sprites = ReturnType<typeof createSprites>;

function castShadow(context: CanvasRenderingContext2D, ratio: number): void {
  // Shadows ignore the scale.
  context.shadowColor = 'rgb(13 21 17 / 28%)';
  context.shadowBlur = 4 * ratio;
  context.shadowOffsetY = 1.5 * ratio;
}

function drawMarker(look: MarkerLook, isSelected: boolean, sheets: SpriteSheets): Sprite {
  const scale = (isSelected ? markerSize.selectedWidth : markerSize.width) / markerBox.width;
  const width = markerBox.width * scale + 2 * shadowPx;
  const height = markerBox.height * scale + 2 * shadowPx;
  const cut = sheets.draw(width, height, (context) => {
    context.translate(shadowPx, shadowPx);
    context.scale(scale, scale);
    context.translate(-markerBox.x, -markerBox.y);
    context.lineCap = 'round';
    castShadow(context, sheets.ratio);
    for (const { path, fill, stroke, width: lineWidth = 0, move } of markerShapes(look)) {
      const shape = new Path2D(path);
      context.save();
      if (move) context.translate(...move);
      if (fill) {
        context.fillStyle = fill;
        context.fill(shape);
      }
      if (stroke) {
        context.strokeStyle = stroke;
        context.lineWidth = lineWidth;
        context.stroke(shape);
      }
      context.restore();
      // Only the lowest shape has a shadow.
      context.shadowColor = 'transparent';
    }
  });
  const { x, y } = markerBox.anchor;
  return { ...cut, width, height, anchorX: shadowPx + x * scale, anchorY: shadowPx + y * scale };
}

function drawRing(shares: Shares, size: number, palette: Palette, sheets: SpriteSheets): Sprite {
  const width = size + 2 * shadowPx;
  const middle = width / 2;
  const cut = sheets.draw(width, width, (context) => {
    context.save();
    castShadow(context, sheets.ratio);
    context.fillStyle = palette.disc;
    context.beginPath();
    context.arc(middle, middle, size / 2, 0, 2 * Math.PI);
    context.fill();
    context.restore();
    context.lineWidth = 4;
    for (const { share, from, to } of arcsOf(shares)) {
      context.strokeStyle = palette.ring[share];
      context.beginPath();
      context.arc(middle, middle, size / 2 - 3.5, (from - 0.25) * 2 * Math.PI, (to - 0.25) * 2 * Math.PI);
      context.stroke();
    }
  });
  return { ...cut, width, height: width, anchorX: middle, anchorY: middle };
}

function drawNumber(text: string, palette: Palette, sheets: SpriteSheets): Sprite {
  const [width, height] = [36, 18];
  const cut = sheets.draw(width, height, (context) => {
    context.font = `800 ${text.length > 3 ? 11 : 13}px ${fontFamily}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = palette.number;
    context.fillText(text, width / 2, height / 2 + 0.5);
  });
  return { ...cut, width, height, anchorX: width / 2, anchorY: height / 2 };
}

/** CSS px. */
function heightOf(look: LabelLook): number {
  if (look === 'capital') return 28;
  return look === 'street' ? 17 : 22;
}

const quietLooks: readonly LabelLook[] = ['town', 'village', 'district', 'street', 'abroad'];

function drawLabel(text: string, look: LabelLook, angle: number, palette: Palette, sheets: SpriteSheets): Sprite {
  const long = Math.ceil(sheets.widthOf(text, labelFonts[look])) + 2 * haloPx;
  const high = heightOf(look);
  const [cosine, sine] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const width = Math.ceil(long * cosine + high * sine);
  const height = Math.ceil(long * sine + high * cosine);
  const cut = sheets.draw(width, height, (context) => {
    context.translate(width / 2, height / 2);
    context.rotate(angle);
    context.font = labelFonts[look];
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    const isWater = look === 'water' || look === 'sea';
    if (!isWater) {
      context.strokeStyle = palette.labelHalo;
      context.lineWidth = haloPx;
      context.strokeText(text, 0, 0);
    }
    context.fillStyle = isWater
      ? palette.waterLabel
      : quietLooks.includes(look)
        ? palette.placeLabel
        : palette.cityLabel;
    context.fillText(text, 0, 0);
  });
  return { ...cut, width, height, anchorX: width / 2, anchorY: height / 2 };
}

function drawPosition(sheets: SpriteSheets): Sprite {
  const width = 40;
  const middle = width / 2;
  const cut = sheets.draw(width, width, (context) => {
    for (const [radius, colour] of [
      [20, 'rgb(47 111 242 / 20%)'],
      [10, '#fff'],
      [7, '#2F6FF2'],
    ] as const) {
      context.beginPath();
      context.arc(middle, middle, radius, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
    }
  });
  return { ...cut, width, height: width, anchorX: middle, anchorY: middle };
}
