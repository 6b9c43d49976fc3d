import { describe, expect, test } from 'vitest';
import { fallbackOf, type SiteLimits, siteLimitAt } from './site-limit.ts';

const limits = (hours: [string, string, number] | null, limit_w = 120_000, reserve_w = 0): SiteLimits => ({
  limit_w,
  reserve_w,
  hours_from: hours?.[0] ?? null,
  hours_to: hours?.[1] ?? null,
  hours_limit_w: hours?.[2] ?? null,
});
/** Kyiv is two hours ahead of UTC in winter. */
const winter = (time: string) => new Date(`2026-11-16T${time}+02:00`);

describe('the limit of a site', () => {
  const day = limits(['08:00', '20:00', 90_000]);
  const night = limits(['22:00', '06:00', 150_000]);
  test.each<[string, SiteLimits, Date, number]>([
    ['without hours', limits(null), winter('12:00'), 120_000],
    ['inside its hours', day, winter('12:00'), 90_000],
    ['outside its hours', day, winter('21:00'), 120_000],
    ['at the beginning', day, winter('08:00'), 90_000],
    ['at the end', day, winter('20:00'), 120_000],
    ['some seconds before a lower limit, because devices need time to obey', day, winter('07:59:55'), 90_000],
    ['earlier than that', day, winter('07:59:40'), 120_000],
    ['some seconds before a higher limit', night, winter('21:59:55'), 120_000],
    ['before midnight in hours that end in the morning', night, winter('23:30'), 150_000],
    ['after midnight in hours that end in the morning', night, winter('05:30'), 150_000],
    ['in the morning after them', night, winter('06:00'), 120_000],
    ['in summer time', day, new Date('2026-07-16T05:30:00Z'), 90_000],
  ])('%s', (_name, of, at, expected) => expect(siteLimitAt(of, at)).toBe(expected));
});

describe('the limit that a connector keeps while the server is away', () => {
  const one = (id: number, ratedW = 60_000, hasProfiles = true) => ({ id, ratedW, leastW: 5_000, hasProfiles });
  test.each<[string, SiteLimits, ReturnType<typeof one>[], [number, number][]]>([
    [
      'is an equal part for all',
      limits(null),
      [one(1), one(2), one(3)],
      [
        [1, 40_000],
        [2, 40_000],
        [3, 40_000],
      ],
    ],
    ['is never more than the rated power', limits(null), [one(1)], [[1, 60_000]]],
    [
      'leaves what a small connector cannot take to the others',
      limits(null),
      [one(1), one(2, 22_000), one(3)],
      [
        [2, 22_000],
        [1, 49_000],
        [3, 49_000],
      ],
    ],
    [
      'counts with the lowest limit of the day',
      limits(['08:00', '20:00', 30_000]),
      [one(1), one(2)],
      [
        [1, 15_000],
        [2, 15_000],
      ],
    ],
    [
      'leaves the reserve and what cannot be steered',
      limits(null, 120_000, 10_000),
      [one(1), one(2, 50_000, false)],
      [[1, 60_000]],
    ],
    [
      'is at least what a car can charge with',
      limits(null, 8_000),
      [one(1), one(2)],
      [
        [1, 5_000],
        [2, 5_000],
      ],
    ],
  ])('%s', (_name, of, connectors, expected) => expect([...fallbackOf(of, connectors)]).toEqual(expected));
});
