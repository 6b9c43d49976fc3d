import { kopecks } from '@fpay/contract/money';
import { describe, expect, it } from 'vitest';
import { blocksOf, rowsOf, usualOf, weekOf, withPrice } from './week.ts';

const flat = weekOf({ price: kopecks(14_50), hours: null });

describe('the week of a tariff', () => {
  it('has one price without rows', () => {
    expect(flat).toHaveLength(7);
    expect(new Set(flat.flat())).toEqual(new Set([14_50]));
    expect(rowsOf(flat, usualOf(flat))).toEqual([]);
  });

  it('is what its rows say, and gives the same rows again', () => {
    const hours = [
      { weekdays: [1, 2, 3, 4, 5], from: 0, to: 6, price: kopecks(9_90) },
      { weekdays: [1, 2, 3, 4, 5], from: 17, to: 22, price: kopecks(16_90) },
      { weekdays: [6, 7], from: 0, to: 8, price: kopecks(9_90) },
    ];
    const week = weekOf({ price: kopecks(14_50), hours });
    expect(blocksOf(week[0] ?? [])).toEqual([
      { from: 0, to: 6, price: 9_90 },
      { from: 6, to: 17, price: 14_50 },
      { from: 17, to: 22, price: 16_90 },
      { from: 22, to: 24, price: 14_50 },
    ]);
    expect(rowsOf(week, usualOf(week))).toEqual(hours);
  });

  it('keeps the first of two rows that overlap', () => {
    const hours = [
      { weekdays: [1], from: 0, to: 2, price: kopecks(1) },
      { weekdays: [1], from: 1, to: 3, price: kopecks(2) },
    ];
    expect(weekOf({ price: kopecks(9), hours })[0]?.slice(0, 4)).toEqual([1, 1, 2, 9]);
  });

  it('changes only the marked hours of the marked days', () => {
    const week = withPrice(flat, { days: [3], from: 11, to: 13 }, 12_00);
    expect(rowsOf(week, 14_50)).toEqual([{ weekdays: [3], from: 11, to: 13, price: 12_00 }]);
    expect(flat.flat()).not.toContain(12_00);
  });
});
