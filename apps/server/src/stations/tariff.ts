import { Kopecks, kopecks } from '@fpay/contract/money';
import * as z from 'zod/mini';
import { wallClock } from '../platform/kyiv-time.ts';
import { Refusal } from '../platform/refusal.ts';
import { isWithinWindow } from './day-window.ts';

const Hour = z.int().check(z.gte(0), z.lte(24));
const HoursRow = z
  .object({
    /** 1 is Monday, 7 is Sunday. */
    weekdays: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1)),
    from: Hour,
    /** Exclusive. A night is two rows: until 24 and from 0. */
    to: Hour,
    price: Kopecks,
  })
  .check(z.refine(({ from, to }) => from < to, '`from` must be before `to`'));

const day = (pattern: RegExp) => z.string().check(z.regex(pattern, 'must be a day: MM-DD or YYYY-MM-DD'));
const discountOver = (pattern: RegExp) =>
  z.object({
    from: day(pattern),
    to: day(pattern),
    percent: z.int().check(z.gte(1), z.lte(100)),
    /** Null when the percentage itself is shown. */
    text: z.nullable(z.string().check(z.minLength(1), z.maxLength(40))),
  });
const Discount = z.union([
  discountOver(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  discountOver(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
]);

/** What a kWh costs: one price, or a table by hour and weekday in Kyiv time, and perhaps a discount for some days. */
export const Tariff = z.object({
  /** The price of hours that no row covers. 0 is free. */
  price: Kopecks,
  /** The first matching row applies. */
  hours: z.nullable(z.array(HoursRow)),
  discount: z.nullable(Discount),
});
export type Tariff = z.infer<typeof Tariff>;

export interface PriceAt {
  price: Kopecks;
  /** The usual price while a discount applies. */
  oldPrice: Kopecks | null;
  discountText: string | null;
}

export function priceAt(tariff: Tariff, at: Date): PriceAt {
  const now = wallClock(at);
  const row = tariff.hours?.find(
    ({ weekdays, from, to }) => weekdays.includes(now.weekday) && from <= now.hour && now.hour < to,
  );
  const usual = row?.price ?? tariff.price;
  const { discount } = tariff;
  if (!discount || usual === 0 || !isWithinWindow(now.day, discount)) {
    return { price: usual, oldPrice: null, discountText: null };
  }
  return {
    // A fraction of a kopeck is rounded in favour of the driver.
    price: kopecks(Math.floor((usual * (100 - discount.percent)) / 100)),
    oldPrice: usual,
    discountText: discount.text ?? `-${discount.percent}%`,
  };
}

/** A price that cannot be read is refused, so that a missing or broken row never makes a charge free. */
export function readTariff(stored: unknown): Tariff {
  const tariff = Tariff.safeParse(stored);
  if (!tariff.success) throw new Refusal('pricing_unavailable');
  return tariff.data;
}
