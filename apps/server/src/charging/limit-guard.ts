/**
 * OCPP 1.6 has no energy limit of its own, so the stop must be sent ahead of it, because power × (delay of the command and
 * of the relay) flows on after we ask. Two moments are planned after every reading, and the earlier one counts: the moment
 * foreseen from the present power, and the moment by which the connector's rated power could have delivered the limit.
 */
export interface Reading {
  atMs: number;
  energyWh: number;
  /** What flows now, as far as it can be believed; null when it is not known. */
  powerW: number | null;
}

export interface Plan {
  /** When to send the stop unless another reading comes first. */
  stopAtMs: number;
  /** When to ask for a reading on the way there; null when the present one will do. */
  askAtMs: number | null;
}

/** Commands took 0.2 to 3 s where measured; aiming at the middle splits the error evenly. */
const usualDelayMs = 1_600;
/** Too much is the operator's loss and too little the driver's wish unfulfilled; the aim lies a little on the safe side. */
const aimBelowLimitWh = 15;
const aimBelowLimitShare = 0.002;
/** A reading older than this is not trusted with the stop; a new one is asked for. */
const freshMs = 6_000;
/**
 * Rated power may flow for this long past the limit before we stop without a reading: 5 s are allowed, and due work needs
 * its part of them. It is the time in which a device answers TriggerMessage.
 */
const graceMs = 4_000;
/** TriggerMessage gets its answer within 5 s or not at all, and due work needs a moment to ask and to hear. */
const answerMs = 6_000;
/** A device that has just sent a reading is not asked for the next one at once. */
const leastBetweenMs = 1_000;

const msToFlow = (wh: number, powerW: number) => (wh * 3_600_000) / powerW;

export function planStop(limitWh: number, last: Reading, ratedW: number): Plan {
  const { atMs, energyWh, powerW } = last;
  const aimWh = limitWh - Math.min(aimBelowLimitWh, limitWh * aimBelowLimitShare);
  if (energyWh >= aimWh) return { stopAtMs: atMs, askAtMs: null };
  const foreseenMs =
    powerW === null || powerW <= 0 ? Number.POSITIVE_INFINITY : msToFlow(aimWh - energyWh, powerW) - usualDelayMs;
  const worstMs = msToFlow(limitWh - energyWh, ratedW) + graceMs;
  const stopInMs = Math.max(0, Math.round(Math.min(foreseenMs, worstMs)));
  const isForeseen = foreseenMs <= worstMs;
  if (isForeseen && stopInMs <= freshMs) return { stopAtMs: atMs + stopInMs, askAtMs: null };
  // What a ramp or a taper does between two readings is the largest error of a foreseen stop; before a stop by rated power
  // the device must have the time to answer.
  const leadMs = isForeseen ? freshMs / 2 + usualDelayMs : answerMs;
  return { stopAtMs: atMs + stopInMs, askAtMs: atMs + Math.max(leastBetweenMs, Math.round(stopInMs - leadMs)) };
}
