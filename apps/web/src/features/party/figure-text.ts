import { formatPercent } from '../../ui/format/number-format.ts';

/** Null: there was nothing to be a part of. */
export function percentText(percent: number | null): string {
  return percent === null ? '?%' : formatPercent(percent);
}

/** What is not there is named, so that it is not taken for nothing. */
export function presentText(value: string | null | undefined): string {
  return value === null || value === undefined || value === '' ? 'MISSING' : value;
}
