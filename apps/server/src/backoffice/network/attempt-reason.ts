import type { AttemptCause } from '@fpay/contract/admin/network/attempts';
import type { AttemptReason } from '@fpay/contract/admin/network/overview';
import type { ChargingAttempt } from './attempts.ts';

/** What pages call each cause. */
const reasonOfCause: Record<AttemptCause, AttemptReason> = {
  bank_refused: 'bank',
  bank_down: 'bank',
  no_power: 'other',
  never_delivered: 'offline',
  answer_lost: 'offline',
  lost_contact: 'offline',
  refused: 'rejected',
  deauthorized: 'rejected',
  no_plug: 'not_started',
  no_start: 'not_started',
  no_energy: 'not_started',
  driver_gave_up: 'not_started',
  fault_before: 'fault',
  fault_during: 'fault',
  reset: 'fault',
  power_loss: 'fault',
  emergency_stop: 'fault',
  stop_ignored: 'fault',
  other: 'other',
};

/** Why a driver did not charge at the first attempt; null when they did, or did not try. */
export function attemptReason({ try: made, cause }: Pick<ChargingAttempt, 'try' | 'cause'>): AttemptReason | null {
  if (made === 'later') return 'retried';
  return made === 'failed' && cause !== null ? reasonOfCause[cause] : null;
}
