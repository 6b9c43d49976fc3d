import type { WattHours } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { text } from '../../i18n/i18n.ts';
import { useLanguage } from '../../i18n/use-text.ts';
import { formatNumber, gap } from './number-format.ts';

interface EnergyProps {
  energy: WattHours;
  /** Two where it is paid for, one where it is only compared. */
  decimals?: 1 | 2;
  /** The unit is smaller beside a big number. */
  unitClassName?: string;
  /** A headline that does not move; its digits have their own widths. */
  still?: boolean;
  className?: string;
}

/** Formats watt-hours; all energy on a page uses it. */
export function Energy({ energy, decimals = 2, unitClassName, still = false, className = '' }: EnergyProps) {
  const language = useLanguage();
  return (
    <span className={`${still ? '' : 'tabular'} whitespace-nowrap ${className}`}>
      {formatKwh(energy, decimals, language)}
      {gap}
      <span className={unitClassName}>{text('generic:kwh')}</span>
    </span>
  );
}

/** Only the number, for tables and charts that show the unit once. */
export function formatKwh(energy: WattHours, decimals: 1 | 2 = 2, language?: Language): string {
  return formatNumber(energy / 1000, { least: decimals, most: decimals }, language);
}
