import type { SheetStation } from './chunk-sheet.tsx';

/** Nobody can charge there. */
export function isDead({ is_online, connectors }: SheetStation): boolean {
  return !is_online || connectors.every(({ status }) => status === 'oos' || status === 'unknown');
}

/** Dead stations last, the rest by number from the highest down. */
export function inSheetOrder<S extends SheetStation>(stations: readonly S[]): S[] {
  return [...stations].sort((a, b) => Number(isDead(a)) - Number(isDead(b)) || digitsOf(b) - digitsOf(a));
}

function digitsOf({ number }: SheetStation): number {
  return Number(number.replace(/\D/g, ''));
}
