import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kopecks, wattHours } from './money.ts';
import { depositFor, energyLimitOf, hundredthsOf, percentageOf, realTotalOf, totalOf } from './price.ts';

test.each([
  ['10', 1000],
  ['10.5', 1050],
  ['10,05', 1005],
  ['0.07', 7],
  [' 25 ', 2500],
  ['1000.29', 100029],
  ['10.005', null],
  ['1e3', null],
  ['-5', null],
  ['', null],
  ['12345678', null],
  ['0x10', null],
])('the text %s becomes %s hundredths without a float [PAY-21]', (typed, hundredths) => {
  expect(hundredthsOf(typed)).toBe(hundredths);
});

test.each([
  // target, hundredths, price, deposit, limit in Wh
  ['kwh', 10_00, 14_50, 145_00, 10_000],
  ['kwh', 1, 14_50, 15, 10],
  ['kwh', 33_33, 9_99, 332_97, 33_330],
  ['uah', 50_00, 14_50, 50_00, 3448],
  ['uah', 1_00, 3, 1_00, 33_333],
  ['uah', 50_00, 0, 50_00, null],
] as const)(
  '%s %d at %d kopecks needs a deposit of %d, which pays for %s Wh [PAY-21]',
  (target, hundredths, price, deposit, limit) => {
    const set = depositFor(target, hundredths, kopecks(price));
    expect(set).toBe(deposit);
    expect(energyLimitOf(set, kopecks(price))).toBe(limit);
  },
);

test.each([
  // energy, price, deposit, real total, total
  [0, 14_50, 145_00, 0, 0],
  [3448, 14_50, 50_00, 50_00, 50_00],
  [1, 5_00, 50_00, 1, 1],
  [1, 4_99, 50_00, 0, 0],
  [10_345, 14_50, 145_00, 150_00, 145_00],
])(
  '%d Wh at %d kopecks with a deposit of %d is worth %d and costs %d [PAY-22] [PAY-23]',
  (energy, price, deposit, real, total) => {
    expect(realTotalOf(wattHours(energy), kopecks(price))).toBe(real);
    expect(totalOf(wattHours(energy), kopecks(price), kopecks(deposit))).toBe(total);
  },
);

test('the percentage compares energy with the limit, is capped at 100, and is null for a free charge [PAY-23]', () => {
  expect(percentageOf(wattHours(7_449), wattHours(10_000))).toBe(74);
  expect(percentageOf(wattHours(10_100), wattHours(10_000))).toBe(100);
  expect(percentageOf(wattHours(5), null)).toBeNull();
});

test('for every amount and every energy, the limit never costs more than the deposit and covers the requested kWh', () => {
  const price = fc.integer({ min: 1, max: 99_99 });
  fc.assert(
    fc.property(price, fc.integer({ min: 1, max: 500_00 }), fc.nat(1_000_000), (perKwh, hundredths, energy) => {
      const deposit = depositFor('kwh', hundredths, kopecks(perKwh));
      const limit = energyLimitOf(deposit, kopecks(perKwh)) ?? wattHours(0);
      expect(limit).toBeGreaterThanOrEqual(hundredths * 10);
      expect((limit * perKwh) / 1000).toBeLessThanOrEqual(deposit);
      expect(totalOf(wattHours(energy), kopecks(perKwh), deposit)).toBeLessThanOrEqual(deposit);
    }),
  );
});
