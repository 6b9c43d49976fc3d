import type { Marker } from '../atlas/markers.ts';
import type { PlacedSprite } from './sprite-layer.ts';

export interface PlacedMarker extends PlacedSprite {
  marker: Marker;
}

/** A thumb is wider than a marker. */
const thumbPx = 44;

/** The marker under a finger: of those within reach, the one whose centre is nearest. */
export function pressedMarker(
  placed: readonly PlacedMarker[],
  [x = 0, y = 0]: readonly number[],
  pixelOf: (placed: PlacedMarker) => readonly number[] | null,
): Marker | null {
  let nearest: { marker: Marker; distance: number } | null = null;
  for (const one of placed) {
    const [px = 0, py = 0] = pixelOf(one) ?? [Number.NaN, Number.NaN];
    const { width, height, anchorX, anchorY } = one.sprite;
    const dx = Math.abs(px + (one.dx ?? 0) - anchorX + width / 2 - x);
    const dy = Math.abs(py + (one.dy ?? 0) - anchorY + height / 2 - y);
    if (!(dx <= Math.max(thumbPx, width) / 2 && dy <= Math.max(thumbPx, height) / 2)) continue;
    const distance = Math.hypot(dx, dy);
    if (!nearest || distance <= nearest.distance) nearest = { marker: one.marker, distance };
  }
  return nearest?.marker ?? null;
}
