import { type Kopecks, kopecks } from '@fpay/contract/money';
import { topUpLimits } from '@fpay/contract/wallet';

/** A charge that the balance is too small for. */
export interface PlannedTopUp {
  /** What the driver wanted, as `100 кВт·год` or `500 ₴`. */
  charge: string;
  deposit: Kopecks;
  balance: Kopecks;
  lack: Kopecks;
}

const storageKey = 'fpay.planned-top-up';

/** Called on the way to the balance page, which opens its form with the missing sum. */
export function planTopUp(planned: PlannedTopUp): void {
  sessionStorage.setItem(storageKey, JSON.stringify(planned));
}

/** Once, because a later visit to the balance has another purpose. */
export function takePlannedTopUp(): PlannedTopUp | null {
  const stored = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return stored === null ? null : (JSON.parse(stored) as PlannedTopUp);
}

/** Whole hryvnias, rounded up, and at least what can be topped up at all. */
export function missingSum(lack: Kopecks): number {
  return Math.max(topUpLimits.least, kopecks(Math.ceil(lack / 100) * 100)) / 100;
}
