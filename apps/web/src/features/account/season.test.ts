import { expect, it } from 'vitest';
import { isSeason } from './season.ts';

it.each([
  ['2026-10-26T21:59:59Z', false],
  ['2026-10-26T22:00:00Z', true],
  ['2026-10-31T12:00:00Z', true],
  ['2026-11-02T21:59:59Z', true],
  ['2026-11-02T22:00:00Z', false],
  ['2027-10-27T12:00:00Z', true],
  ['2026-01-01T12:00:00Z', false],
])('the festive week is from 27 October to 2 November in Kyiv, each year: %s is %s [AUTH-06]', (instant, is) => {
  expect(isSeason(new Date(instant))).toBe(is);
});
