import { changeTariff, TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { kopecks } from '@fpay/contract/money';
import { expect, test } from 'vitest';
import type { Tariff } from './tariff.ts';
import { isGenerous, reductionOf } from './tariff-reduction.ts';

const now = new Date('2026-11-19T10:00:00Z');
const limit = 5_000_00;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const terms = (price: number, rest: Partial<Tariff> = {}): Tariff => ({
  price: kopecks(price),
  hours: null,
  discount: null,
  idle: null,
  ...rest,
});
const night = (price: number) => ({ hours: [{ weekdays: everyDay, from: 0, to: 6, price: kopecks(price) }] });
const discount = (percent: number, from = '12-24', to = '12-26') => ({ discount: { from, to, percent, text: null } });

test.each<[string, Tariff, Tariff, number, boolean]>([
  // The largest deposit is that of 500 kWh.
  ['a price that rises', terms(15_00), terms(18_00), 0, false],
  ['one that falls by 10 UAH', terms(15_00), terms(5_00), 5_000_00, false],
  ['one that falls by more', terms(15_00), terms(4_99), 5_005_00, true],
  ['one that becomes free', terms(1), terms(0), 5_00, true],
  [
    'a row of one hour that is free',
    terms(15_00),
    terms(15_00, { hours: [{ weekdays: [7], from: 3, to: 4, price: kopecks(0) }] }),
    7_500_00,
    true,
  ],
  ['a row that was free before', terms(15_00, night(0)), terms(14_00, night(0)), 500_00, false],
  ['a discount of 100 %', terms(15_00), terms(15_00, discount(100)), 7_500_00, true],
  ['a discount of 60 %', terms(15_00), terms(15_00, discount(60)), 4_500_00, false],
  [
    'a discount of 100 % in a year that is far away',
    terms(15_00),
    terms(15_00, discount(100, '2031-05-01', '2031-05-02')),
    7_500_00,
    true,
  ],
  ['one whose discount was there before', terms(15_00, discount(100)), terms(14_00, discount(100)), 500_00, false],
  ['a discount of a leap day', terms(15_00), terms(15_00, discount(99, '02-28', '03-01')), 7_425_00, true],
  ['free hours that stay free', terms(0), terms(0), 0, false],
  ['free hours that cost something', terms(0), terms(15_00), 0, false],
])('%s [ADM-OP-31]', (_what, before, after, gives, waits) => {
  const reduction = reductionOf(before, after, now);
  expect([reduction.gives, isGenerous(reduction, limit)]).toEqual([gives, waits]);
});

test('several falls of 24 hours are one [ADM-OP-31]', () => {
  const fall = reductionOf(terms(15_00), terms(10_00), now);
  expect([isGenerous(fall, limit, 2_500_00), isGenerous(fall, limit, 2_500_01)]).toEqual([false, true]);
  // Who raises the price gives nothing, whatever was given before.
  expect(isGenerous(reductionOf(terms(10_00), terms(15_00), now), limit, limit)).toBe(false);
});

const typed = (rest: object) => changeTariff.body.safeParse({ ...terms(15_00), starts_at: null, ...rest });
const row = (weekdays: number[], from: number, to: number) => ({ weekdays, from, to, price: 1 });

test.each([
  ['a day that no year has', discount(10, '02-30', '02-31'), 'discount.from'],
  ['a last day that no year has', discount(10, '04-01', '04-31'), 'discount.to'],
  ['the 29th of February of a common year', discount(10, '2027-02-29', '2027-03-01'), 'discount.from'],
  ['days in the wrong order', discount(10, '2026-12-02', '2026-12-01'), 'discount.to'],
  ['a row below one with the same hours', { hours: [row([1, 2], 0, 6), row([1], 2, 4)] }, 'hours.1'],
  [
    'a row whose hours are in several rows above',
    { hours: [row([1], 0, 6), row([1], 6, 9), row([1], 3, 8)] },
    'hours.2',
  ],
])('typed terms with %s are refused at the field', (_what, rest, path) => {
  expect(typed(rest).error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  // A stored price must stay readable.
  expect(TariffTerms.safeParse({ ...terms(15_00), ...rest }).success).toBe(true);
});

test('typed terms with a leap day of every year, a discount over New Year and rows that overlap in part are accepted', () => {
  expect(typed(discount(10, '02-29', '02-29')).success).toBe(true);
  expect(typed(discount(10, '12-30', '01-02')).success).toBe(true);
  expect(typed({ hours: [row([1], 0, 6), row([1], 5, 7)] }).success).toBe(true);
});
