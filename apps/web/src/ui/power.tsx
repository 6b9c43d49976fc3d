import type { Watts } from '@fpay/contract/money';
import { text } from '../i18n/i18n.ts';
import type { Language } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/use-text.ts';
import { formatNumber, gap } from './number-format.ts';

interface PowerProps {
  power: Watts;
  /** What a connector is built for: 60 kW, not 60.0. Live power keeps its decimal, or it would jump. */
  rated?: boolean;
}

/** The one place that turns watts into text. */
export function Power({ power, rated = false }: PowerProps) {
  const language = useLanguage();
  return <span className="tabular whitespace-nowrap">{formatPower(power, { rated }, language)}</span>;
}

export function formatPower(power: Watts, { rated = false } = {}, language?: Language): string {
  return `${formatNumber(power / 1000, { least: rated ? 0 : 1, most: 1 }, language)}${gap}${text('generic:kw')}`;
}
