import type { StationKind } from './queries.ts';

const keys = { real: 'fpay.station', virtual: 'fpay.virtual-station' } as const satisfies Record<StationKind, string>;

/** The station that was opened last in this tab. */
export function rememberStation(kind: StationKind, number: string): void {
  sessionStorage.setItem(keys[kind], number);
}

export function lastStation(kind: StationKind): string | null {
  return sessionStorage.getItem(keys[kind]);
}
