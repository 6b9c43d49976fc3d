import type { Connector, Station } from '@fpay/contract/stations';

/** A connector in the sheet; the map does not have its price and power. */
export type SheetConnector = Pick<Connector, 'type' | 'status'> & Partial<Connector>;
export interface SheetStation extends Pick<Station, 'number' | 'is_online'> {
  connectors: readonly SheetConnector[];
}

/** True when no connector can charge. */
export function isDead({ is_online, connectors }: SheetStation): boolean {
  return !is_online || connectors.every(({ status }) => status === 'oos' || status === 'unknown');
}

/** Offline stations last, the rest by descending number. */
export function inSheetOrder<S extends SheetStation>(stations: readonly S[]): S[] {
  return [...stations].sort((a, b) => Number(isDead(a)) - Number(isDead(b)) || digitsOf(b) - digitsOf(a));
}

function digitsOf({ number }: SheetStation): number {
  return Number(number.replace(/\D/g, ''));
}
