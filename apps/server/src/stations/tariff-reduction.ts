import { type Kopecks, kopecks } from '@fpay/contract/money';
import { depositFor, mostKwhByBalance } from '@fpay/contract/price';
import { kyivDate } from '../platform/kyiv-time.ts';
import { dayPrices, type Tariff } from './tariff.ts';

export interface Reduction {
  /** What the largest charge costs less, in the hour with the largest fall. */
  gives: Kopecks;
  /** An hour that was paid for costs nothing. */
  makesFree: boolean;
}

const dayMs = 24 * 3_600_000;
/** Every day of a yearly discount is among them, and every weekday with and without it. */
const daysAhead = 367;
const weekDays = 7;

const noon = (day: string) => new Date(`${day}T12:00:00Z`).getTime();
const daysFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, index) => kyivDate(new Date(start + index * dayMs)));

/** A discount of one year may begin later than the days ahead. */
const daysOfDiscount = ({ discount }: Tariff) =>
  discount?.from.length === 'YYYY-MM-DD'.length ? daysFrom(noon(discount.from), weekDays) : [];

/** How much cheaper charging becomes when one tariff follows another, over every hour of the days that they tell apart. */
export function reductionOf(before: Tariff, after: Tariff, now: Date): Reduction {
  let largest = 0;
  let makesFree = false;
  for (const day of [...daysFrom(now.getTime(), daysAhead), ...daysOfDiscount(before), ...daysOfDiscount(after)]) {
    const usual = dayPrices(before, day);
    for (const { hour, price } of dayPrices(after, day)) {
      const old = usual[hour]?.price ?? price;
      largest = Math.max(largest, old - price);
      makesFree ||= old > 0 && price === 0;
    }
  }
  return { gives: depositFor('kwh', mostKwhByBalance, kopecks(largest)), makesFree };
}

/** Such a change of a price waits for a second staff member. `givenBefore`: by changes of the last 24 hours. */
export const isGenerous = ({ gives, makesFree }: Reduction, limit: number, givenBefore = 0): boolean =>
  makesFree || (gives > 0 && givenBefore + gives > limit);
