import { expect, test } from 'vitest';
import { busyByHour, busyMs, overlapMs, quotient } from './report-figures.ts';

const hour = 3_600_000;

test.each([
  [{ from: 0, to: 10 }, { from: 5, to: 20 }, 5],
  [{ from: 0, to: 10 }, { from: 10, to: 20 }, 0],
  [{ from: 0, to: 30 }, { from: 10, to: 20 }, 10],
])('%j and %j share %i ms', (one, other, ms) => expect(overlapMs(one, other)).toBe(ms));

test('charges count only within the period, and nothing divided by nothing is not known', () => {
  expect(
    busyMs(
      [
        { from: -5, to: 5 },
        { from: 8, to: 20 },
      ],
      { from: 0, to: 10 },
    ),
  ).toBe(7);
  expect([quotient(1, 4), quotient(0, 0)]).toEqual([0.25, null]);
});

test('the use of an hour is that of all connectors in all its weeks', () => {
  const slotOf = (at: number) => ({
    weekday: 1 + (Math.floor(at / (24 * hour)) % 7),
    hour: Math.floor(at / hour) % 24,
  });
  const week = 7 * 24 * hour;
  // The first hour of Monday in one of two weeks, one of two connectors, half an hour; and a night over midnight.
  const spans = [
    { from: 0, to: hour / 2 },
    { from: 23.5 * hour, to: 24.5 * hour },
  ];
  const hours = busyByHour(spans, { from: 0, to: 2 * week }, 2, slotOf);
  expect(hours[0]?.[0]).toBe(0.125);
  expect([hours[0]?.[23], hours[1]?.[0]]).toEqual([0.125, 0.125]);
  expect(hours[3]?.[12]).toBe(0);
  expect(busyByHour([], { from: 0, to: hour }, 1, slotOf)[5]?.[5]).toBeNull();
});
