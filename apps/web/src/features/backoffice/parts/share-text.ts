import type { Language } from '@fpay/contract/person';
import { formatPercent } from '../../../ui/format/number-format.ts';

/** A part in per cent; '?%' when there is nothing to divide by. */
export function shareText(part: number, total: number | null | undefined, language: Language): string {
  return total ? formatPercent((part / total) * 100, language) : '?%';
}
