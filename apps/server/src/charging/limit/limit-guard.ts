/**
 * OCPP 1.6 has no energy limit, so the stop must be sent in advance, because power × (delay of the command and of the
 * relay) still flows after it. Two times are planned after every reading, and the earlier one counts: the time
 * predicted from the present power, and the time by which the connector's rated power could have delivered the limit.
 */
export interface LimitReading {
  atMs: number;
  energyWh: number;
  /** The present power, as far as it is plausible; null when it is not known. */
  powerW: number | null;
}

export interface StopPlan {
  /** When to send the stop unless another reading comes first. */
  stopAtMs: number;
  /** When to request a reading before that; null when the present one is enough. */
  askAtMs: number | null;
}

/** Commands took 0.2 to 3 s where measured; aiming at the middle splits the error evenly. */
const usualDelayMs = 1_600;
/**
 * Too much energy is the operator's loss and too little disappoints the driver; the aim is slightly below the limit.
 */
const aimBelowLimitWh = 15;
const aimBelowLimitShare = 0.002;
/** An older reading is not used for the stop; a new one is requested. */
const freshMs = 6_000;
/**
 * How long rated power may flow past the limit before we stop without a reading: 5 s are allowed, and due work needs a
 * part of them. In this time a device answers TriggerMessage.
 */
const graceMs = 4_000;
/**
 * TriggerMessage is answered within 5 s or not at all, and due work needs a moment to send it and to read the answer.
 */
const answerMs = 6_000;
/** A device that has just sent a reading does not get the next request at once. */
const leastBetweenMs = 1_000;

const msToFlow = (wh: number, powerW: number) => (wh * 3_600_000) / powerW;

export function planStop(limitWh: number, last: LimitReading, ratedW: number): StopPlan {
  const { atMs, energyWh, powerW } = last;
  const aimWh = limitWh - Math.min(aimBelowLimitWh, limitWh * aimBelowLimitShare);
  if (energyWh >= aimWh) return { stopAtMs: atMs, askAtMs: null };
  const foreseenMs =
    powerW === null || powerW <= 0 ? Number.POSITIVE_INFINITY : msToFlow(aimWh - energyWh, powerW) - usualDelayMs;
  const worstMs = msToFlow(limitWh - energyWh, ratedW) + graceMs;
  const stopInMs = Math.max(0, Math.round(Math.min(foreseenMs, worstMs)));
  const isForeseen = foreseenMs <= worstMs;
  if (isForeseen && stopInMs <= freshMs) return { stopAtMs: atMs + stopInMs, askAtMs: null };
  // The change of power between two readings is the largest error of a predicted stop; before a stop by rated power the
  // device must have time to answer.
  const leadMs = isForeseen ? freshMs / 2 + usualDelayMs : answerMs;
  return { stopAtMs: atMs + stopInMs, askAtMs: atMs + Math.max(leastBetweenMs, Math.round(stopInMs - leadMs)) };
}
