import { expect, it } from 'vitest';
import { scaleOf } from './scale.ts';

it.each([
  [6, 100_000],
  [11, 2000],
  [14, 500],
  [17, 50],
])('at zoom %i the scale bar shows %i m', (zoom, metres) => {
  const scale = scaleOf({ lat: 48.46, zoom });
  expect(scale.metres).toBe(metres);
  expect(scale.widthPx).toBeGreaterThan(34);
  expect(scale.widthPx).toBeLessThanOrEqual(88);
});
