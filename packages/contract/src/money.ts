import * as z from 'zod/mini';

/** UAH in whole kopecks. It is never negative; `from` and `to` give the direction. */
export const Kopecks = z.int().check(z.nonnegative()).brand<'Kopecks'>();
export type Kopecks = z.infer<typeof Kopecks>;

/** Money from the point of view of one wallet: incoming amounts are positive, outgoing ones negative. */
export const SignedKopecks = z.int().brand<'SignedKopecks'>();
export type SignedKopecks = z.infer<typeof SignedKopecks>;

export const WattHours = z.int().check(z.nonnegative()).brand<'WattHours'>();
export type WattHours = z.infer<typeof WattHours>;

export const Watts = z.int().check(z.nonnegative()).brand<'Watts'>();
export type Watts = z.infer<typeof Watts>;

/**
 * Converts a number of our own arithmetic to money. A fraction or a negative number here is a bug, because input is
 * checked by the schemas.
 */
export function kopecks(value: number): Kopecks {
  return whole(value, 'kopecks') as Kopecks;
}

export function wattHours(value: number): WattHours {
  return whole(value, 'Wh') as WattHours;
}

export function watts(value: number): Watts {
  return whole(value, 'W') as Watts;
}

/** This does not use the schemas above, because it runs several times for every reading of every charge. */
function whole(value: number, unit: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a valid amount of ${unit}`);
  return value;
}

export const currency = { code: 'UAH', symbol: '₴', isoNumber: 980 } as const;
