import { describe, expect, it } from 'vitest';
import { instantOfKyiv, kyivLocal } from './kyiv-time.ts';

describe('a typed Kyiv time', () => {
  it.each([
    ['2026-11-15T00:00', '2026-11-14T22:00:00.000Z'],
    ['2026-07-15T00:00', '2026-07-14T21:00:00.000Z'],
    // The clock goes back at 04:00 on 25 October and forward at 03:00 on 29 March.
    ['2026-10-25T02:59', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T04:00', '2026-10-25T02:00:00.000Z'],
    ['2026-03-29T02:55', '2026-03-29T00:55:00.000Z'],
    ['2026-03-29T04:00', '2026-03-29T01:00:00.000Z'],
  ])('%s is the instant %s, and back', (local, instant) => {
    expect(instantOfKyiv(local)).toBe(instant);
    expect(kyivLocal(new Date(instant))).toBe(local);
  });

  it.each(['', 'today', '2026-11-15', '2026-13-45T99:99'])('%j is no time', (text) => {
    expect(instantOfKyiv(text)).toBeNull();
  });
});
