/** In whose hands the cause of a failed attempt is. */
type CauseSide = 'payer' | 'driver' | 'car' | 'device' | 'grid' | 'network';

/** Why an attempt failed: the first cause in time, and one only. */
export const attemptCauses = {
  bank_refused: 'payer',
  bank_down: 'network',
  no_power: 'network',
  never_delivered: 'device',
  answer_lost: 'device',
  refused: 'device',
  no_plug: 'driver',
  no_start: 'device',
  fault_before: 'device',
  fault_during: 'device',
  no_energy: 'car',
  driver_gave_up: 'device',
  reset: 'device',
  power_loss: 'grid',
  emergency_stop: 'device',
  deauthorized: 'network',
  stop_ignored: 'device',
  lost_contact: 'device',
  other: 'network',
} as const satisfies Record<string, CauseSide>;

export type AttemptCause = keyof typeof attemptCauses;
