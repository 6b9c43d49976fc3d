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
  /** The share of a site's power; null when nothing limits it. */
  shareW: number | null;
  /** `Current`, `Power`, or both; real devices also send `A` and `W`. */
  rateUnits: string;
  /** From the start of the transaction; null when the device does not cut the power. */
  cutAfterMs: number | null;
}

const phaseV = 230;
/** From this rated power on an AC connector has three phases; a limit in amperes is one for each phase. */
const threePhasesFromW = 10_000;

/**
 * The first period in the unit of the device. Without a share it limits nothing: one phase at 230 V is more than a
 * connector of this power gives per phase. A share is rounded down to one decimal, as the standard has it.
 */
function firstLimit(ratedW: number, shareW: number | null, isInAmperes: boolean): number {
  if (!isInAmperes) return Math.min(ratedW, shareW ?? ratedW);
  if (shareW === null) return Math.ceil(ratedW / phaseV);
  return Math.floor((10 * shareW) / (phaseV * (ratedW >= threePhasesFromW ? 3 : 1))) / 10;
}

const isInAmperesOf = (rateUnits: string) => /current|\ba\b/i.test(rateUnits) && !/power|\bw\b/i.test(rateUnits);

/** Far above the ids of transactions, which are the ids of their profiles. */
const firstDefaultProfile = 2_000_000_000;
export const defaultProfileId = (connectorId: number) => firstDefaultProfile + connectorId;

interface DefaultProfileRequest {
  connectorId: number;
  ratedW: number;
  limitW: number;
  rateUnits: string;
}

/**
 * For charges that have no profile of their own. One for each connector instead of one for the whole device, because its
 * connectors may belong to different sites.
 */
export function defaultProfile({ connectorId, ratedW, limitW, rateUnits }: DefaultProfileRequest) {
  const isInAmperes = isInAmperesOf(rateUnits);
  return {
    connectorId,
    csChargingProfiles: {
      chargingProfileId: defaultProfileId(connectorId),
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: {
        chargingRateUnit: isInAmperes ? 'A' : 'W',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: firstLimit(ratedW, limitW, isInAmperes) }],
      },
    },
  };
}

/**
 * The schedule is relative, because a wrong clock would make an absolute one end at a wrong time. The stack level is 0,
 * because some devices support no other. Each transaction has one profile id, so that the next profile replaces it;
 * therefore the limit of the deposit and the share of the site are always in one profile.
 */
export function txProfile({ connectorId, transactionId, ratedW, shareW, rateUnits, cutAfterMs }: ProfileRequest) {
  const isInAmperes = isInAmperesOf(rateUnits);
  const cut = cutAfterMs === null ? [] : [{ startPeriod: Math.max(1, Math.ceil(cutAfterMs / 1_000)), limit: 0 }];
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
        chargingSchedulePeriod: [{ startPeriod: 0, limit: firstLimit(ratedW, shareW, isInAmperes) }, ...cut],
      },
    },
  };
}
