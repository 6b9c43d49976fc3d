import { currency, type Kopecks, type SignedKopecks } from '@fpay/contract/money';
import type { Language } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/use-text.ts';
import { formatNumber, gap } from './number-format.ts';

type Amount = Kopecks | SignedKopecks;

interface MoneyProps {
  amount: Amount;
  /** Whole hryvnias, half rounded up, where kopecks would only be noise. */
  rounded?: boolean;
  className?: string;
}

/** The one place that turns kopecks into text. */
export function Money({ amount, rounded = false, className = '' }: MoneyProps) {
  const language = useLanguage();
  return <span className={`tabular whitespace-nowrap ${className}`}>{formatMoney(amount, { rounded }, language)}</span>;
}

export function formatMoney(amount: Amount, { rounded = false } = {}, language?: Language): string {
  const decimals = rounded ? 0 : 2;
  return `${formatNumber(amount / 100, { least: decimals, most: decimals }, language)}${gap}${currency.symbol}`;
}
