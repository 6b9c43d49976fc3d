import type { HistoryRange } from '@fpay/contract/history';
import { expect, test } from 'vitest';
import { statsRangeOf } from './range.ts';

// Sunday evening in Kyiv, summer time.
const sunday = new Date('2026-10-18T19:30:00Z');

test.each<[HistoryRange, string, string, number, number | null]>([
  ['week', '2026-10-11T21:00:00.000Z', '2026-10-18T21:00:00.000Z', 7, null],
  ['lastWeek', '2026-10-04T21:00:00.000Z', '2026-10-11T21:00:00.000Z', 0, null],
  // October has the repeated hour: it begins at midnight of summer time and ends at midnight of winter time.
  ['month', '2026-09-30T21:00:00.000Z', '2026-10-31T22:00:00.000Z', 18, 31],
  ['lastMonth', '2026-08-31T21:00:00.000Z', '2026-09-30T21:00:00.000Z', 0, 30],
  ['year', '2025-12-31T22:00:00.000Z', '2026-12-31T22:00:00.000Z', 10, null],
  ['lastYear', '2024-12-31T22:00:00.000Z', '2025-12-31T22:00:00.000Z', 0, null],
])('%s of a Sunday in October, in Kyiv time [ENT-18]', (name, from, to, now, length) => {
  const range = statsRangeOf(name, sunday);
  expect({ from: range.from.toISOString(), to: range.to.toISOString(), now: range.now, length: range.length }).toEqual({
    from,
    to,
    now,
    length,
  });
});

test('an instant counts on its Kyiv day: late in the evening in UTC is already the next day [ENT-18]', () => {
  const monday = new Date('2026-10-18T21:30:00Z');
  expect(statsRangeOf('week', monday).now).toBe(1);
  expect(statsRangeOf('month', monday).indexOf(monday)).toBe(19);
  expect(statsRangeOf('year', monday).indexOf(new Date('2026-12-31T22:30:00Z'))).toBe(1);
});

test('the month before January is December of the year before', () => {
  const range = statsRangeOf('lastMonth', new Date('2027-01-10T10:00:00Z'));
  expect([range.from.toISOString(), range.length]).toEqual(['2026-11-30T22:00:00.000Z', 31]);
});
