/** The limit as a charging profile. This file is pure. */

/** While rated power needs at least this long for the rest, the profile cuts exactly there. */
const exactFromMs = 20_000;
/** Added to the time at rated power, so that our own stop comes first while the device is connected. */
const marginMs = 5_000;
/** Closer to the limit a slow car would need a new profile every few seconds, so the present power is used there. */
const nearMarginMs = 15_000;
const leastShareOfRated = 0.25;

/** How long after a reading the device must cut the power, when this much is left. */
export function cutInMs(leftWh: number, ratedW: number, powerW: number | null): number {
  const flow = (byW: number) => Math.ceil((leftWh * 3_600_000) / byW);
  if (flow(ratedW) >= exactFromMs || powerW === null) return flow(ratedW) + marginMs;
  return flow(Math.min(ratedW, Math.max(powerW, ratedW * leastShareOfRated))) + nearMarginMs;
}

interface ProfileRequest {
  connectorId: number;
  transactionId: number;
  ratedW: number;
  /** `Current`, `Power`, or both; real devices also send `A` and `W`. */
  rateUnits: string;
  /** From the start of the transaction. */
  cutAfterMs: number;
}

/** One phase at 230 V is more than a connector of this power gives per phase, so the first period limits nothing. */
const phaseV = 230;

/**
 * The schedule is relative, because a wrong clock would make an absolute one end at a wrong time. The stack level is 0,
 * because some devices support no other. Each transaction has one profile id, so that the next profile replaces it.
 */
export function txProfile({ connectorId, transactionId, ratedW, rateUnits, cutAfterMs }: ProfileRequest) {
  const isInAmperes = /current|\ba\b/i.test(rateUnits) && !/power|\bw\b/i.test(rateUnits);
  const limit = isInAmperes ? Math.ceil(ratedW / phaseV) : ratedW;
  return {
    connectorId,
    csChargingProfiles: {
      chargingProfileId: transactionId,
      transactionId,
      stackLevel: 0,
      chargingProfilePurpose: 'TxProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: {
        chargingRateUnit: isInAmperes ? 'A' : 'W',
        chargingSchedulePeriod: [
          { startPeriod: 0, limit },
          { startPeriod: Math.max(1, Math.ceil(cutAfterMs / 1_000)), limit: 0 },
        ],
      },
    },
  };
}
