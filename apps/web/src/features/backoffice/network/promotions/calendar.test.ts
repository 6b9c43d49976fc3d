import type { PromotionItem } from '@fpay/contract/admin/network/promotions';
import { kopecks } from '@fpay/contract/money';
import { describe, expect, it } from 'vitest';
import { calendarWeeks, isOn, monthAfter, placeInYear, yearParts } from './calendar.ts';
import { daysText } from './promotion-text.ts';

const promotion = (id: number, days: PromotionItem['days']): PromotionItem => ({
  id,
  kind: 'marker',
  code: 'discount',
  station_number: 'F1403',
  days,
  reward: null,
  budget_per_day: null,
  paid_today: kopecks(0),
  is_waiting: false,
  is_running: true,
});

describe('the calendar of promotions', () => {
  it('has whole weeks from Monday that cover the month', () => {
    const weeks = calendarWeeks('2026-11', []);
    expect(weeks.map(({ days }) => days[0])).toEqual([
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ]);
  });

  it('draws a promotion in each week that it touches, on a free line', () => {
    const autumn = promotion(1, { from: '10-23', to: '11-15' });
    const season = promotion(2, { from: '10-27', to: '11-02' });
    const [first, second, third, fourth] = calendarWeeks('2026-11', [autumn, season]);
    expect(first?.bars.map(({ from, to, line }) => [from, to, line])).toEqual([
      [0, 6, 0],
      [1, 6, 1],
    ]);
    expect(second?.bars.map(({ from, to, line }) => [from, to, line])).toEqual([
      [0, 6, 0],
      [0, 0, 1],
    ]);
    expect(third?.bars).toHaveLength(1);
    expect(fourth?.bars).toEqual([]);
  });

  it.each([
    [{ from: '12-20', to: '01-10' }, '2026-12-31', true],
    [{ from: '12-20', to: '01-10' }, '2027-01-10', true],
    [{ from: '12-20', to: '01-10' }, '2027-01-11', false],
    [null, '2026-07-01', true],
  ])('%j is on at %s: %s', (days, day, expected) => {
    expect(isOn({ days }, day)).toBe(expected);
  });

  it('turns the year', () => {
    expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });
});

describe('the year of promotions', () => {
  it('has equally wide months', () => {
    expect(placeInYear('2026-01-01')).toBe(0);
    expect(placeInYear('2026-07-01')).toBe(0.5);
    expect(placeInYear('2026-02-15') * 12).toBeCloseTo(1.5);
    expect(placeInYear('2028-02-29') * 12).toBeCloseTo(1 + 28 / 29);
  });

  it.each<[string, PromotionItem['days'], [number, number][]]>([
    ['always', null, [[0, 12]]],
    ['two months', { from: '03-01', to: '04-30' }, [[2, 4]]],
    ['one day', { from: '12-31', to: '12-31' }, [[11 + 30 / 31, 12]]],
    [
      'over New Year',
      { from: '12-01', to: '01-31' },
      [
        [0, 1],
        [11, 12],
      ],
    ],
  ])('draws a promotion that runs %s', (_name, days, months) => {
    const drawn = yearParts(2026, { days }).map(({ from, to }) => [from * 12, to * 12]);
    expect(drawn).toHaveLength(months.length);
    for (const [index, [from, to]] of months.entries()) {
      expect(drawn[index]?.[0]).toBeCloseTo(from);
      expect(drawn[index]?.[1]).toBeCloseTo(to);
    }
  });

  it('leaves out a leap day that the year does not have', () => {
    expect(yearParts(2026, { days: { from: '02-29', to: '02-29' } })).toEqual([]);
    expect(yearParts(2028, { days: { from: '02-29', to: '02-29' } })).toHaveLength(1);
  });
});

it('names the days in the order of the language', () => {
  const days = { from: '10-23', to: '11-15' };
  expect(daysText(days, 'uk')).toBe('23 жовт. – 15 лист.');
  expect(daysText(days, 'en')).toBe('23 Oct – 15 Nov');
  expect(daysText(days, 'pl')).toBe('23 paź – 15 lis');
});
