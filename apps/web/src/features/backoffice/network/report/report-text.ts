import { text } from '../../../../i18n/i18n.ts';
import { formatNumber } from '../../../../ui/format/number-format.ts';

/** A share as percent; '?%' when it is not known. */
export function sharePercent(share: number | null, most = 1): string {
  return share === null ? '?%' : text('network:percent', { percent: formatNumber(100 * share, { least: 0, most }) });
}

/** The change against the period before; null when there is nothing to compare. */
export function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : now / before - 1;
}
