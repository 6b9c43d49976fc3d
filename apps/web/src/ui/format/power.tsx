import type { Watts } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { text } from '../../i18n/i18n.ts';
import { useLanguage } from '../../i18n/use-text.ts';
import { formatNumber, gap } from './number-format.ts';

interface PowerProps {
  power: Watts;
  /**
   * The rated power of a connector: 60 kW, not 60.0. Live power keeps its decimal, so that its width does not change.
   */
  rated?: boolean;
}

/** Formats watts; all power on a page uses it. */
export function Power({ power, rated = false }: PowerProps) {
  const language = useLanguage();
  return <span className="tabular whitespace-nowrap">{formatPower(power, { rated }, language)}</span>;
}

export function formatPower(power: Watts, { rated = false } = {}, language?: Language): string {
  return `${formatNumber(power / 1000, { least: rated ? 0 : 1, most: 1 }, language)}${gap}${text('generic:kw')}`;
}
