import { TariffTerms } from '@fpay/contract/admin/network/tariffs';
import type { IdleFee } from '@fpay/contract/idle-fee';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { type WallClock, wallClock } from '../platform/kyiv-time.ts';
import { Refusal } from '../platform/refusal.ts';
import { isWithinWindow } from './day-window.ts';

/** The terms of the contract; what is stored is checked by them too. */
export const Tariff = TariffTerms;
export type Tariff = TariffTerms;

export interface PriceAt {
  price: Kopecks;
  /** The usual price while a discount applies. */
  oldPrice: Kopecks | null;
  discountText: string | null;
}

export function priceAt(tariff: Tariff, at: Date): PriceAt {
  return priceOn(tariff, wallClock(at));
}

/** Null when the stored tariff cannot be read, for a list in which one bad row must not hide the others. */
export function presentPrice(stored: unknown, at: Date): Kopecks | null {
  const tariff = Tariff.safeParse(stored);
  return tariff.success ? priceAt(tariff.data, at).price : null;
}

/** The idle fee of a charge at this price. A free charge has no deposit that could pay for it. */
export function idleFeeAt({ idle }: Tariff, price: Kopecks): IdleFee | null {
  return price === 0 ? null : idle;
}

/** What each hour of a day costs. The wall clock counts, so a day has 24 hours here also when the clocks change. */
export function dayPrices(tariff: Tariff, day: string): (PriceAt & { hour: number })[] {
  const { weekday } = wallClock(new Date(`${day}T12:00:00Z`));
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...priceOn(tariff, { day, weekday, hour }) }));
}

function priceOn(tariff: Tariff, now: WallClock): PriceAt {
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
    discountText: discount.text ?? `−${discount.percent}%`,
  };
}

/** Connectors with the same price share a tariff of that name, so that the list for staff stays short. */
export function fixedTariffName(price: Kopecks): string {
  return `fixed ${(price / 100).toFixed(2)}`;
}

/** A tariff that stands for one price and nothing else; staff see the price instead of its name. */
export function isFixedPrice(name: string, { price, hours, discount, idle }: Tariff): boolean {
  return hours === null && discount === null && idle === null && name === fixedTariffName(price);
}

/** A price that cannot be read is refused, so that a missing or broken row never makes a charge free. */
export function readTariff(stored: unknown): Tariff {
  const tariff = Tariff.safeParse(stored);
  if (!tariff.success) throw new Refusal('pricing_unavailable');
  return tariff.data;
}
