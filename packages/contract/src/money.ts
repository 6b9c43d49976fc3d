import * as z from 'zod/mini';

/** UAH in whole kopecks. Never negative: direction is told by `from` and `to`. */
export const Kopecks = z.int().check(z.nonnegative()).brand<'Kopecks'>();
export type Kopecks = z.infer<typeof Kopecks>;

/** Money seen from one wallet's side: what came in is positive, what left is negative. */
export const SignedKopecks = z.int().brand<'SignedKopecks'>();
export type SignedKopecks = z.infer<typeof SignedKopecks>;

export const WattHours = z.int().check(z.nonnegative()).brand<'WattHours'>();
export type WattHours = z.infer<typeof WattHours>;

export const Watts = z.int().check(z.nonnegative()).brand<'Watts'>();
export type Watts = z.infer<typeof Watts>;

/** The one way from a number of our own arithmetic to money. A fraction or a negative here is a bug, never input. */
export function kopecks(value: number): Kopecks {
  return whole(value, 'kopecks') as Kopecks;
}

export function wattHours(value: number): WattHours {
  return whole(value, 'Wh') as WattHours;
}

export function watts(value: number): Watts {
  return whole(value, 'W') as Watts;
}

/** Not by the schemas above: this is asked several times for every reading of every charge. */
function whole(value: number, unit: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no amount of ${unit}`);
  return value;
}

export const currency = { code: 'UAH', symbol: '₴', isoNumber: 980 } as const;
