import type { IdleFee } from '@fpay/contract/idle-fee';
import type { StoredOperation } from '../store.ts';

/** The idle fee that an operation keeps. */
export const idleColumns = (idle: IdleFee | null) => ({
  idle_fee: idle?.fee ?? 0,
  idle_grace_minutes: idle?.grace_minutes ?? 0,
});

/** Whether the driver saw the fee of this operation. */
export function isSameIdle(shown: IdleFee | null | undefined, own: StoredOperation | undefined): boolean {
  if (shown === undefined) return true;
  return own?.idleFee === (shown?.fee ?? 0) && own.idleGraceMinutes === (shown?.grace_minutes ?? 0);
}
