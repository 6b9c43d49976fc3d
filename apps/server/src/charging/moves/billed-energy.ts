import { type WattHours, wattHours } from '@fpay/contract/money';
import { isPowerFlowing } from '../operation.ts';
import type { StoredOperation } from '../store.ts';

/** The driver pays for energy within this time after the stop was requested; later energy is the operator's loss. */
export const billedAfterStopMs = 30_000;

export type Billed = Pick<
  StoredOperation,
  'status' | 'energy' | 'createdAt' | 'startedAt' | 'lastSampleAt' | 'billedUntil' | 'firstUnbilled'
>;

/** How much of the energy that a charge had delivered at a moment is billed. */
export function billedEnergy(operation: Billed, energy: WattHours, at: Date): WattHours {
  const { billedUntil, firstUnbilled } = operation;
  if (billedUntil === null || at <= billedUntil) return energy;
  // The settlement has already used the first reading after the limit.
  if (firstUnbilled !== null && !isPowerFlowing(operation.status)) return operation.energy;
  return energyAt(operation, billedUntil, firstUnbilled ?? { energy, at });
}

/** For a charge that is settled although its charger did not end it. */
export function settledEnergy(operation: Billed): WattHours {
  const { billedUntil, firstUnbilled, energy } = operation;
  return billedUntil === null || firstUnbilled === null ? energy : energyAt(operation, billedUntil, firstUnbilled);
}

/** Between the last reading before the limit and the first one after it, energy counts in proportion to the time. */
function energyAt(operation: Billed, bound: Date, after: { energy: WattHours; at: Date }): WattHours {
  const from = (operation.lastSampleAt ?? operation.startedAt ?? operation.createdAt).getTime();
  const spanMs = after.at.getTime() - from;
  const share = spanMs <= 0 ? 0 : Math.min(1, Math.max(0, (bound.getTime() - from) / spanMs));
  return wattHours(operation.energy + Math.round(Math.max(0, after.energy - operation.energy) * share));
}
