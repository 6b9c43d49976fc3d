import { expect, it } from 'vitest';
import { chargedMinutes } from './charged-time.ts';

const start = new Date('2026-11-15T18:58:40Z');

it.each([
  [10, 1],
  [59, 1],
  [119, 1],
  [120, 2],
  [3_599, 59],
])('a charge of %i s has %i minutes', (seconds, minutes) => {
  expect(chargedMinutes(start, new Date(start.getTime() + seconds * 1000))).toBe(minutes);
});

it('a charge without power has no length, and a device whose clock ran back has the shortest one', () => {
  expect(chargedMinutes(null, start)).toBeNull();
  expect(chargedMinutes(start, null)).toBeNull();
  expect(chargedMinutes(start, new Date(start.getTime() - 1000))).toBe(1);
});
