import { currency, type Kopecks, type SignedKopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { useLanguage } from '../../i18n/use-text.ts';
import { formatNumber, gap } from './number-format.ts';

type Amount = Kopecks | SignedKopecks;

interface MoneyProps {
  amount: Amount;
  /** Whole hryvnias, half rounded up, where kopecks do not matter. */
  rounded?: boolean;
  /** Incoming amounts have a plus. */
  signed?: boolean;
  /** Short form: thousands with k above 10 000. */
  brief?: boolean;
  /** A headline sum that does not move; its digits have their own widths. */
  still?: boolean;
  className?: string;
}

/** Formats kopecks; all money on a page uses it. */
export function Money({
  amount,
  rounded = false,
  signed = false,
  brief = false,
  still = false,
  className = '',
}: MoneyProps) {
  const language = useLanguage();
  const shown = brief ? formatBriefly(amount, language) : formatMoney(amount, { rounded }, language);
  return (
    <span className={`${still ? '' : 'tabular'} whitespace-nowrap ${className}`}>
      {signed && amount > 0 && '+'}
      {shown}
    </span>
  );
}

export function formatMoney(amount: Amount, { rounded = false } = {}, language?: Language): string {
  const decimals = rounded ? 0 : 2;
  return `${formatNumber(amount / 100, { least: decimals, most: decimals }, language)}${gap}${currency.symbol}`;
}

const kAbove = 10_000_00;

function formatBriefly(amount: Amount, language: Language): string {
  if (amount <= kAbove) return formatMoney(amount, {}, language);
  return `${formatNumber(amount / 100_000, { least: 0, most: 1 }, language)}k${gap}${currency.symbol}`;
}
