import { type Kopecks, kopecks, type WattHours, wattHours } from './money.ts';

/** What a driver typed: kWh or UAH in whole hundredths. Text becomes hundredths here and nowhere else, never by way of a float. */
export function hundredthsOf(typed: string): number | null {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

export type Target = 'kwh' | 'uah';

/** The sum set aside. Energy rounds up to the whole kopeck, so that the kWh asked for can always be delivered. */
export function depositFor(target: Target, hundredths: number, pricePerKwh: Kopecks): Kopecks {
  return kopecks(target === 'uah' ? hundredths : Math.ceil((hundredths * pricePerKwh) / 100));
}

/** Energy the deposit pays for; rounds down, so that reaching it never costs more than was set aside. Null: free, no limit. */
export function energyLimitOf(deposit: Kopecks, pricePerKwh: Kopecks): WattHours | null {
  return pricePerKwh === 0 ? null : wattHours(Math.floor((deposit * 1000) / pricePerKwh));
}

/** Energy times price; half a kopeck rounds up. */
export function realTotalOf(energy: WattHours, pricePerKwh: Kopecks): Kopecks {
  return kopecks(Math.floor((energy * pricePerKwh + 500) / 1000));
}

/** What is charged: energy past the deposit is the operator's loss, not the driver's. */
export function totalOf(energy: WattHours, pricePerKwh: Kopecks, deposit: Kopecks): Kopecks {
  return kopecks(Math.min(deposit, realTotalOf(energy, pricePerKwh)));
}

/** Whole percent of the limit, at most 100; a free charge has nothing to measure against. */
export function percentageOf(energy: WattHours, limit: WattHours | null): number | null {
  if (limit === null || limit === 0) return null;
  return Math.min(100, Math.floor((energy * 100) / limit));
}

/** What a form allows by card. The least is the same from the balance, so that a limit is large enough to be guarded. */
export const cardLimits = {
  kwh: { leastHundredths: 1_00, mostHundredths: 200_00 },
  uah: { leastHundredths: 1_00, mostHundredths: 3000_00 },
} as const satisfies Record<Target, object>;

/** From the balance the balance is the limit; past this much energy it is a slip of the finger. */
export const mostKwhByBalance = 500_00;
