/** What the limit looks like as a charging profile. Values in, values out. */

/** As long as rated power needs this long for the rest, the profile cuts exactly there. */
const exactFromMs = 20_000;
/** Past the limit at rated power: our own stop comes first while the line holds. */
const marginMs = 5_000;
/** Nearer to the limit a slow car would need a new profile every few seconds, so the present power counts there. */
const nearMarginMs = 15_000;
const leastShareOfRated = 0.25;

/** How long after a reading the device is to cut the power, when so much is left. */
export function cutInMs(leftWh: number, ratedW: number, powerW: number | null): number {
  const flow = (byW: number) => Math.ceil((leftWh * 3_600_000) / byW);
  if (flow(ratedW) >= exactFromMs || powerW === null) return flow(ratedW) + marginMs;
  return flow(Math.min(ratedW, Math.max(powerW, ratedW * leastShareOfRated))) + nearMarginMs;
}

interface ProfileRequest {
  connectorId: number;
  transactionId: number;
  ratedW: number;
  /** `Current`, `Power`, or both; real devices also say `A` and `W`. */
  rateUnits: string;
  /** From the start of the transaction. */
  cutAfterMs: number;
}

/** One phase at 230 V: more than a connector of this power gives per phase, so the first period limits nothing. */
const phaseV = 230;

/**
 * Relative, because a wrong clock makes an absolute schedule end at a wrong moment; stack level 0, because some devices know
 * no other; one profile id for each transaction, so that the next one replaces it.
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
