import { type WattHours, wattHours } from '@fpay/contract/money';

/** Energy as it was summed up: exact for one member or for all, divided for an average. */
export interface EnergySums {
  total: number;
  free: number;
  party: number;
}

/** Null where there is nothing to be a part of. */
export function percentageOfTotal(part: number, total: number): number | null {
  return total === 0 ? null : Math.round((part / total) * 100);
}

export function sharesOf(sums: EnergySums, divisor: number) {
  const { total, free, party } = sums;
  return {
    total: divided(total, divisor),
    free: divided(free, divisor),
    free_percentage: percentageOfTotal(free, total),
    party: divided(party, divisor),
    party_percentage: percentageOfTotal(party, total),
  };
}

export function divided(energyWh: number, divisor: number): WattHours {
  return wattHours(Math.round(energyWh / Math.max(1, divisor)));
}
