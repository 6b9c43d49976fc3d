import { expect, test } from 'vitest';
import { metresBetween, similarNumbers } from './alternatives.ts';

test('similar numbers differ in exactly one digit, never in the letter', () => {
  expect(similarNumbers('F1409')).toContain('F1400');
  expect(similarNumbers('F1409')).toContain('F9409');
  expect(similarNumbers('F1409')).not.toContain('F1409');
  expect(similarNumbers('F1409')).toHaveLength(36);
  expect(similarNumbers('nonsense')).toEqual([]);
});

test.each([
  [{ lat: 48.4647, lon: 35.0462 }, { lat: 48.4647, lon: 35.0462 }, 0],
  // One minute of latitude is one nautical mile.
  [{ lat: 48, lon: 35 }, { lat: 48 + 1 / 60, lon: 35 }, 1853],
  [{ lat: 50.4501, lon: 30.5234 }, { lat: 48.4647, lon: 35.0462 }, 393_000],
])('the distance from %o to %o is about %i m', (a, b, metres) => {
  expect(Math.abs(metresBetween(a, b) - metres)).toBeLessThan(Math.max(1, metres * 0.01));
});
