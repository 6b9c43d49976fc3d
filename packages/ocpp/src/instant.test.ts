import { describe, expect, it } from 'vitest';
import { isClockSet, isInstant, readInstant } from './instant.ts';

describe('a time', () => {
  const cases: [came: unknown, read: string | null, doubt: string | null][] = [
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00Z', null],
    ['2026-11-15T10:00:00.123456Z', '2026-11-15T10:00:00.123456Z', null],
    ['2026-11-15T12:00:00+02:00', '2026-11-15T12:00:00+02:00', null],
    ['2026-11-15T12:00:00+0200', '2026-11-15T10:00:00.000Z', 'not as the standard writes it'],
    ['2026-11-15t10:00:00z', '2026-11-15T10:00:00.000Z', 'not as the standard writes it'],
    ['2026-11-15 10:00:00Z', '2026-11-15T10:00:00.000Z', 'not as the standard writes it'],
    ['2026-11-15T10:00Z', '2026-11-15T10:00:00.000Z', 'not as the standard writes it'],
    ['2026-11-15T10:00:00', '2026-11-15T10:00:00.000Z', 'no zone, taken as UTC'],
    ['2026-11-15 10:00:00', '2026-11-15T10:00:00.000Z', 'no zone, taken as UTC'],
    ['2026-11-15', '2026-11-15T00:00:00.000Z', 'no zone, taken as UTC'],
    ['1970-01-01T00:03:12Z', '1970-01-01T00:03:12.000Z', 'the clock was not set'],
    ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000Z', 'the clock was not set'],
    ['9999-01-01T00:00:00Z', '9999-01-01T00:00:00.000Z', 'the clock was not set'],
    [1_794_736_800, '2026-11-15T10:00:00.000Z', 'a number, taken as Unix time'],
    ['1794736800000', '2026-11-15T10:00:00.000Z', 'a number, taken as Unix time'],
    [12, null, null],
    ['', null, null],
    ['yesterday', null, null],
    ['2026-13-45T10:00:00Z', null, null],
    [null, null, null],
    [{}, null, null],
  ];
  it.each(cases)('%j is read as %j', (came, read, doubt) => {
    expect(readInstant(came)).toEqual(read === null ? null : { text: read, doubt });
  });

  it('conforms to the standard only with a time zone and from a clock that was set', () => {
    expect(cases.filter(([came]) => typeof came === 'string' && isInstant(came)).map(([came]) => came)).toEqual([
      '2026-11-15T10:00:00Z',
      '2026-11-15T10:00:00.123456Z',
      '2026-11-15T12:00:00+02:00',
    ]);
    expect(isClockSet(0)).toBe(false);
    expect(isClockSet(Date.UTC(2026, 10, 15))).toBe(true);
  });
});
