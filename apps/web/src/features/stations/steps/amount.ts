import { type Kopecks, kopecks } from '@fpay/contract/money';
import { cardLimits, depositFor, hundredthsOf, mostKwhByBalance, type Target } from '@fpay/contract/price';

export type PaymentMethod = 'card' | 'balance';

/** The presets of the form in whole units; the first is the default. */
export const presets = {
  kwh: [10, 25, 50, 100],
  uah: [50, 100, 250, 500],
} as const satisfies Record<Target, readonly [number, ...number[]]>;

/** The change by minus or plus, in hundredths. */
export const stepOf = { kwh: 1_00, uah: 10_00 } as const satisfies Record<Target, number>;

/**
 * Limits in hundredths. The minimum is the same for both methods; above it, only the balance and a limit against typing
 * errors apply.
 */
export function limitsOf(target: Target, method: PaymentMethod): { least: number; most: number } {
  const { leastHundredths: least, mostHundredths } = cardLimits[target];
  if (method === 'card') return { least, most: mostHundredths };
  return { least, most: target === 'kwh' ? mostKwhByBalance : Number.POSITIVE_INFINITY };
}

/** What can be part of an amount: digits, one comma or point, and two digits after it. */
export function typedAmount(input: string): string {
  const [whole = '', ...decimals] = input.replace(/[^\d.,]/g, '').split(/(?=[.,])/);
  const rest = decimals.map((part) => part.slice(1)).join('');
  return decimals.length === 0 ? whole : `${whole}${decimals[0]?.[0] ?? ''}${rest.slice(0, 2)}`;
}

interface Asked {
  typed: string;
  target: Target;
  method: PaymentMethod;
  price: Kopecks;
}

export interface Amount {
  hundredths: number;
  /** The deposit. */
  deposit: Kopecks;
}

/** Null when the amount cannot be paid with any balance. */
export function amountOf({ typed, target, method, price }: Asked): Amount | null {
  const hundredths = hundredthsOf(typed);
  const { least, most } = limitsOf(target, method);
  if (hundredths === null || hundredths < least || hundredths > most) return null;
  return { hundredths, deposit: depositFor(target, hundredths, price) };
}

/** What the balance is short of; 0 for a card, about which the bank decides. */
export function lackOf(deposit: Kopecks, balance: Kopecks, method: PaymentMethod): Kopecks {
  return kopecks(method === 'card' ? 0 : Math.max(0, deposit - balance));
}

/** The next whole step within the limits. */
export function stepped(typed: string, target: Target, method: PaymentMethod, direction: 1 | -1): string {
  const { most } = limitsOf(target, method);
  const now = hundredthsOf(typed) ?? 0;
  const step = stepOf[target];
  const next = direction === 1 ? Math.floor(now / step) * step + step : Math.ceil(now / step) * step - step;
  return String(Math.min(Number.isFinite(most) ? most : next, Math.max(100, next)) / 100);
}
