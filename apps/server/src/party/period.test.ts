import { describe, expect, test } from 'vitest';
import { datesOf } from '../platform/period-range.ts';
import { dayStartIn } from '../platform/zone-time.ts';
import { nextMonthlyDay, partyPeriodOf } from './period.ts';

const now = new Date('2026-11-15T14:35:00Z');
const kyiv = 'Europe/Kyiv';

test.each([
  ['today', '2026-11-14T22:00:00Z', '2026-11-15T22:00:00Z'],
  ['yesterday', '2026-11-13T22:00:00Z', '2026-11-14T22:00:00Z'],
  ['week', '2026-11-08T22:00:00Z', '2026-11-15T22:00:00Z'],
  ['lastWeek', '2026-11-01T22:00:00Z', '2026-11-08T22:00:00Z'],
  ['month', '2026-10-31T22:00:00Z', '2026-11-30T22:00:00Z'],
  ['lastMonth', '2026-09-30T21:00:00Z', '2026-10-31T22:00:00Z'],
  ['year', '2025-12-31T22:00:00Z', '2026-12-31T22:00:00Z'],
  ['lastYear', '2024-12-31T22:00:00Z', '2025-12-31T22:00:00Z'],
  ['24h', '2026-11-14T14:35:00Z', '2026-11-15T14:35:00Z'],
  ['7d', '2026-11-08T14:35:00Z', '2026-11-15T14:35:00Z'],
  ['14d', '2026-11-01T14:35:00Z', '2026-11-15T14:35:00Z'],
] as const)('the period %s in Kyiv begins at %s and ends at %s [PARTY-15] [CONST-10]', (period, from, to) => {
  expect(partyPeriodOf({ period, tz: kyiv }, now)).toEqual({ from: new Date(from), to: new Date(to) });
});

test('a manual range is taken as it is [PARTY-15]', () => {
  const asked = { start_date: '2026-11-01T00:00:00+02:00', end_date: '2026-11-15T14:35:00+02:00' };
  expect(partyPeriodOf({ manual_range: 'true', ...asked, tz: kyiv }, now)).toEqual({
    from: new Date('2026-10-31T22:00:00Z'),
    to: new Date('2026-11-15T12:35:00Z'),
  });
});

describe('over changes of the clock', () => {
  test.each([
    ['a spring day of 23 hours', kyiv, '2026-03-29', '2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z'],
    ['an autumn day of 25 hours', kyiv, '2026-10-25', '2026-10-24T21:00:00Z', '2026-10-25T22:00:00Z'],
    ['a day without 00:00', 'America/Havana', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['a day with 00:00 twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['a zone far east', 'Pacific/Kiritimati', '2026-11-15', '2026-11-14T10:00:00Z', '2026-11-15T10:00:00Z'],
    ['a zone of half hours', 'Asia/Kolkata', '2026-11-15', '2026-11-14T18:30:00Z', '2026-11-15T18:30:00Z'],
  ])('%s begins and ends with its own midnight', (_, zone, day, from, to) => {
    expect(dayStartIn(zone, day)).toEqual(new Date(from));
    const noon = new Date((Date.parse(from) + Date.parse(to)) / 2);
    expect(partyPeriodOf({ period: 'today', tz: zone }, noon)).toEqual({ from: new Date(from), to: new Date(to) });
  });

  test('every date of a range is there once', () => {
    const range = { from: new Date('2026-10-23T21:00:00Z'), to: new Date('2026-10-26T22:00:00Z') };
    expect(datesOf(range, kyiv)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
  });
});

test.each([
  [15, '2026-11-15T14:35:00Z', '2026-12-14T22:00:00Z'],
  [16, '2026-11-15T14:35:00Z', '2026-11-15T22:00:00Z'],
  [1, '2026-12-31T10:00:00Z', '2026-12-31T22:00:00Z'],
  [28, '2026-02-01T10:00:00Z', '2026-02-27T22:00:00Z'],
])('day %i of a month comes next, seen from %s, at %s', (day, from, next) => {
  expect(nextMonthlyDay(day, kyiv, new Date(from))).toEqual(new Date(next));
});
