/**
 * OCPP 1.6 has no energy limit of its own, so the stop must be sent ahead of it: power × (delay of the command and of the
 * relay) flows on after we ask. The moment is foreseen from the present power; a fresh reading is asked for shortly before,
 * because what a ramp or a taper does between two samples is the largest error.
 */
export interface Reading {
  atMs: number;
  energyWh: number;
  /** As the device says; null when it does not. */
  powerW: number | null;
}

/** Commands took 0.2 to 3 s where measured; aiming at the middle splits the error fairly. */
export const usualDelayMs = 1_600;
/** Too much is the operator's loss and too little the driver's wish unfulfilled; the aim lies a little on the safe side. */
const aimBelowLimitWh = 15;
const aimBelowLimitShare = 0.002;
/** A reading older than this is worth asking for a new one before trusting it with the stop. */
export const freshMs = 6_000;

export interface Plan {
  /** When to send the stop. Null: power does not flow, nothing to foresee. */
  stopAtMs: number | null;
  /** When to ask for a fresh reading on the way there; null when the present one will do. */
  askAtMs: number | null;
}

/** The power that will most likely flow until the next reading: what the device says now, else what the last two readings say. */
export function presentPowerW(last: Reading, before: Reading | null): number | null {
  const spanMs = before === null ? 0 : last.atMs - before.atMs;
  const measured = before === null || spanMs <= 0 ? null : ((last.energyWh - before.energyWh) * 3_600_000) / spanMs;
  return last.powerW ?? measured;
}

export function planStop(limitWh: number, last: Reading, before: Reading | null, delayMs: number = usualDelayMs): Plan {
  const power = presentPowerW(last, before);
  const aimWh = limitWh - Math.min(aimBelowLimitWh, limitWh * aimBelowLimitShare);
  if (last.energyWh >= aimWh) return { stopAtMs: last.atMs, askAtMs: null };
  if (power === null || power <= 0) return { stopAtMs: null, askAtMs: null };
  const flowsForMs = ((aimWh - last.energyWh) * 3_600_000) / power;
  const stopAtMs = Math.round(last.atMs + flowsForMs - delayMs);
  // Halfway between trusting an old reading and asking all the time: one fresh reading near the end of the road.
  const askAtMs = stopAtMs - last.atMs > freshMs ? Math.max(last.atMs, stopAtMs - freshMs / 2 - delayMs) : null;
  return { stopAtMs: Math.max(last.atMs, stopAtMs), askAtMs };
}
