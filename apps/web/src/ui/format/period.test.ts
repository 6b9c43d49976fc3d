// @vitest-environment node
import { historyRanges } from '@fpay/contract/history';
import { expect, it } from 'vitest';
import { daysOf, isLast, periodRangeOf, unitOf } from './period.ts';

it.each([
  // Sunday, the last day of its week, although it is already Monday farther east.
  ['2026-11-15T12:00:00Z', 'week', '2026-11-09', '2026-11-15'],
  // Half past midnight in Kyiv is Monday there, and Sunday in Greenwich.
  ['2026-11-15T22:30:00Z', 'week', '2026-11-16', '2026-11-22'],
  ['2026-11-15T12:00:00Z', 'lastWeek', '2026-11-02', '2026-11-08'],
  ['2026-01-01T12:00:00Z', 'week', '2025-12-29', '2026-01-04'],
  ['2026-11-15T12:00:00Z', 'month', '2026-11-01', '2026-11-30'],
  ['2028-03-31T12:00:00Z', 'lastMonth', '2028-02-01', '2028-02-29'],
  ['2026-01-15T12:00:00Z', 'lastMonth', '2025-12-01', '2025-12-31'],
  ['2026-11-15T12:00:00Z', 'year', '2026-01-01', '2026-12-31'],
  ['2026-11-15T12:00:00Z', 'lastYear', '2025-01-01', '2025-12-31'],
] as const)('at %s, %s is from %s to %s', (now, range, first, last) => {
  expect(daysOf(range, new Date(now))).toEqual({ first, last });
});

it('every range is the present or the last one of its unit', () => {
  for (const range of historyRanges) expect(periodRangeOf(unitOf(range), isLast(range))).toBe(range);
});
