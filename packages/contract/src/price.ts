import { type Kopecks, kopecks, type WattHours, wattHours } from './money.ts';

/**
 * Converts what a driver typed, kWh or UAH, to whole hundredths. This is the only place that parses such text, and it
 * uses no float.
 */
export function hundredthsOf(typed: string): number | null {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

export type Target = 'kwh' | 'uah';

/** The deposit. It rounds up to the whole kopeck, so that the requested kWh can always be delivered. */
export function depositFor(target: Target, hundredths: number, pricePerKwh: Kopecks): Kopecks {
  return kopecks(target === 'uah' ? hundredths : Math.ceil((hundredths * pricePerKwh) / 100));
}

/**
 * Energy that the deposit pays for. It rounds down, so that reaching the limit never costs more than the deposit. Null
 * means a free charge without a limit.
 */
export function energyLimitOf(deposit: Kopecks, pricePerKwh: Kopecks): WattHours | null {
  return pricePerKwh === 0 ? null : wattHours(Math.floor((deposit * 1000) / pricePerKwh));
}

/** Energy times price; half a kopeck rounds up. */
export function realTotalOf(energy: WattHours, pricePerKwh: Kopecks): Kopecks {
  return kopecks(Math.floor((energy * pricePerKwh + 500) / 1000));
}

/** The amount that is charged. Energy beyond the deposit is the operator's loss, not the driver's. */
export function totalOf(energy: WattHours, pricePerKwh: Kopecks, deposit: Kopecks): Kopecks {
  return kopecks(Math.min(deposit, realTotalOf(energy, pricePerKwh)));
}

/** Whole percent of the limit, at most 100; null for a free charge, which has no limit. */
export function percentageOf(energy: WattHours, limit: WattHours | null): number | null {
  if (limit === null || limit === 0) return null;
  return Math.min(100, Math.floor((energy * 100) / limit));
}

/**
 * Limits of the form for cards. The minimum applies to the balance too, because a smaller limit could not be enforced
 * in time.
 */
export const cardLimits = {
  kwh: { leastHundredths: 1_00, mostHundredths: 200_00 },
  uah: { leastHundredths: 1_00, mostHundredths: 3000_00 },
} as const satisfies Record<Target, object>;

/** A payment from the balance is limited by the balance. An amount above this is considered a typing error. */
export const mostKwhByBalance = 500_00;
