import { kopecks } from '@fpay/contract/money';
import { describe, expect, it } from 'vitest';
import { wallClock } from '../platform/kyiv-time.ts';
import { priceAt, readTariff, Tariff } from './tariff.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const fixed = Tariff.parse({ price: 14_00, hours: null, discount: null });
const bySun = Tariff.parse({
  price: 16_00,
  hours: [
    { weekdays: [6, 7], from: 10, to: 16, price: 8_00 },
    { weekdays: everyDay, from: 9, to: 17, price: 11_00 },
  ],
  discount: null,
});
const autumn = { from: '10-23', to: '11-15', percent: 15, text: null };

function priceOf(tariff: Tariff, at: string): number {
  return priceAt(tariff, new Date(at)).price;
}

describe('tariff', () => {
  it('is one price at all hours, or a table by hour and weekday of Kyiv [STN-21]', () => {
    expect(priceAt(fixed, new Date('2026-07-01T03:00:00Z'))).toEqual({
      price: 14_00,
      oldPrice: null,
      discountText: null,
    });
    // Wednesday 1 July 2026, Kyiv is three hours ahead of UTC.
    expect(priceOf(bySun, '2026-07-01T05:59:59Z')).toBe(16_00);
    expect(priceOf(bySun, '2026-07-01T06:00:00Z')).toBe(11_00);
    expect(priceOf(bySun, '2026-07-01T13:59:59Z')).toBe(11_00);
    expect(priceOf(bySun, '2026-07-01T14:00:00Z')).toBe(16_00);
    // On Saturday the first matching row applies.
    expect(priceOf(bySun, '2026-07-04T07:00:00Z')).toBe(8_00);
    expect(priceOf(bySun, '2026-07-04T06:30:00Z')).toBe(11_00);
    // Saturday evening in UTC is already Sunday in Kyiv.
    const sundayNight = Tariff.parse({
      ...bySun,
      hours: [{ weekdays: [7], from: 0, to: 3, price: 5_00 }],
    });
    expect(priceOf(sundayNight, '2026-07-04T20:59:59Z')).toBe(16_00);
    expect(priceOf(sundayNight, '2026-07-04T21:00:00Z')).toBe(5_00);
  });

  it('gives the usual price and a text beside the lower one while a discount lasts [STN-21]', () => {
    const tariff = Tariff.parse({ ...fixed, price: 14_99, discount: autumn });
    // 23 October begins at 21:00 UTC of the 22nd, in summer time; 15 November ends at 22:00 UTC, in winter time.
    expect(priceAt(tariff, new Date('2026-10-22T20:59:59Z')).oldPrice).toBeNull();
    expect(priceAt(tariff, new Date('2026-10-22T21:00:00Z'))).toEqual({
      price: 12_74, // 1274.15 kopecks are rounded down in favour of the driver
      oldPrice: 14_99,
      discountText: '−15%',
    });
    expect(priceAt(tariff, new Date('2027-11-15T21:59:59Z')).price).toBe(12_74);
    expect(priceAt(tariff, new Date('2027-11-15T22:00:00Z')).price).toBe(14_99);
    const once = { from: '2026-12-01', to: '2026-12-02', percent: 100, text: 'Free for two days' };
    const gift = Tariff.parse({ ...fixed, discount: once });
    expect(priceAt(gift, new Date('2026-12-02T12:00:00Z'))).toEqual({
      price: 0,
      oldPrice: 14_00,
      discountText: 'Free for two days',
    });
    expect(priceAt(gift, new Date('2027-12-02T12:00:00Z')).oldPrice).toBeNull();
    const free = Tariff.parse({ price: 0, hours: null, discount: autumn });
    expect(priceAt(free, new Date('2026-11-01T12:00:00Z'))).toEqual({ price: 0, oldPrice: null, discountText: null });
  });

  it('follows Kyiv time over both clock changes', () => {
    const night = Tariff.parse({
      price: 16_00,
      hours: [{ weekdays: everyDay, from: 3, to: 4, price: 6_00 }],
      discount: null,
    });
    // 29 March 2026: at 03:00 the clock jumps to 04:00, so the cheap hour does not happen.
    expect(priceOf(night, '2026-03-29T00:59:59Z')).toBe(16_00);
    expect(priceOf(night, '2026-03-29T01:00:00Z')).toBe(16_00);
    expect(wallClock(new Date('2026-03-29T01:00:00Z')).hour).toBe(4);
    // 25 October 2026: at 04:00 it goes back to 03:00, so the cheap hour happens twice.
    expect(
      ['2026-10-24T23:59:59Z', '2026-10-25T00:00:00Z', '2026-10-25T01:59:59Z', '2026-10-25T02:00:00Z'].map((at) =>
        priceOf(night, at),
      ),
    ).toEqual([16_00, 6_00, 6_00, 16_00]);
  });

  it('counts the hours of midnight and Sunday as people do', () => {
    expect(wallClock(new Date('2026-11-14T22:00:00Z'))).toEqual({ day: '2026-11-15', weekday: 7, hour: 0 });
    expect(wallClock(new Date('2026-11-15T22:00:00Z'))).toEqual({ day: '2026-11-16', weekday: 1, hour: 0 });
  });

  it.each([
    ['nothing', null],
    ['no price', { hours: null, discount: null }],
    ['a negative price', { price: -1, hours: null, discount: null }],
    ['a fraction of a kopeck', { price: 10.5, hours: null, discount: null }],
    ['hours that are no table', { price: kopecks(100), hours: 'always', discount: null }],
    [
      'a row that ends before it begins',
      { price: 1, hours: [{ weekdays: [1], from: 5, to: 5, price: 1 }], discount: null },
    ],
    ['a discount of two kinds of days', { price: 1, hours: null, discount: { ...autumn, to: '2026-11-15' } }],
  ])('is refused, not treated as free, when it has %s', (_, stored) => {
    expect(() => readTariff(stored)).toThrow('pricing service did not respond');
  });
});
