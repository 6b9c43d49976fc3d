/**
 * Counts the energy of one charge from a register that counts for life, since boot or since the start, and that may
 * fall, jump or restart. Delivered energy never falls; energy that no connector could have delivered is not counted.
 */
export interface Count {
  energyWh: number;
  /** The register value that counts as zero. Null when it is not known; the first reading sets it. */
  originWh: number | null;
  /** Counted before the register restarted. */
  carriedWh: number;
  /** The newest reading and when the device took it. */
  lastWh: number | null;
  lastAt: number | null;
  /** A reading that rose too fast. When the next one continues from there, counting does too. */
  suspectWh: number | null;
  /** The count before the register fell, so that one wrong value of 0 does not cost the rest of the charge. */
  former: { originWh: number; carriedWh: number } | null;
  /**
   * When the energy last rose: by our clock and by the device's. Coarse registers rise in steps that are minutes apart.
   */
  risenAt: number;
  risenDeviceAt: number;
}

export interface RegisterReading {
  registerWh: number;
  /** By the device's clock. */
  at: number;
  receivedAt: number;
}

/**
 * `older`: a replay from before. `tooFast`: not counted. `jumped`: counting continued after a jump that was left out.
 */
export type Oddity = 'older' | 'tooFast' | 'jumped' | 'meterReset' | 'relativeMeter';

export interface Counted {
  count: Count;
  oddity: Oddity | null;
}

/** No connector delivers more than this multiple of its rated power. */
export const overRated = 1.2;
/** Readings are not taken exactly at their timestamps. */
const jitterMs = 15_000;
/** Registers vary by a few Wh when they round; a fall as small as this is not a restart. */
const wobbleWh = 100;
/** For connectors without a description: the most that a car accepts today. */
export const strongestW = 400_000;

export function newCount(meterStartWh: number | null, startedAt: number, deviceStartedAt: number): Count {
  return {
    energyWh: 0,
    originWh: meterStartWh,
    carriedWh: 0,
    lastWh: null,
    lastAt: null,
    suspectWh: null,
    former: null,
    risenAt: startedAt,
    risenDeviceAt: deviceStartedAt,
  };
}

/**
 * The most that can have flowed since the energy last rose. Readings queued for hours arrive at once, so only the
 * device's clock shows their span.
 */
export function allowedWh(
  count: Count,
  reading: Pick<RegisterReading, 'at' | 'receivedAt'>,
  ratedW: number | null,
): number {
  const elapsedMs = Math.max(reading.at - count.risenDeviceAt, reading.receivedAt - count.risenAt, 0) + jitterMs;
  return Math.ceil((overRated * (ratedW ?? strongestW) * elapsedMs) / 3_600_000);
}

export function countReading(count: Count, reading: RegisterReading, ratedW: number | null): Counted {
  const { registerWh } = reading;
  // A register that has begun at zero or above does not fall below it; -1 stands for a value that is not known.
  if (registerWh < 0 && (count.originWh === null ? registerWh === -1 : count.originWh >= 0))
    return { count, oddity: null };
  if (count.originWh === null) return { count: newest({ ...count, originWh: registerWh }, reading), oddity: null };
  const energyWh = count.carriedWh + registerWh - count.originWh;
  if (registerWh >= count.originWh && energyWh >= count.energyWh) return risen(count, energyWh, reading, ratedW);
  if (count.lastAt !== null && reading.at < count.lastAt) return { count, oddity: 'older' };
  if (registerWh >= count.originWh && count.energyWh - energyWh <= wobbleWh) {
    return { count: newest(count, reading), oddity: null };
  }
  return fallen(count, reading, ratedW);
}

function risen(count: Count, energyWh: number, reading: RegisterReading, ratedW: number | null): Counted {
  const allowed = allowedWh(count, reading, ratedW);
  if (energyWh - count.energyWh <= allowed) return { count: rise(count, energyWh, reading), oddity: null };

  const { former, suspectWh } = count;
  if (former) {
    const asBefore = former.carriedWh + reading.registerWh - former.originWh;
    if (asBefore >= count.energyWh && asBefore - count.energyWh <= allowed) {
      return { count: rise({ ...count, ...former, former: null }, asBefore, reading), oddity: null };
    }
  }
  const sinceSuspect = suspectWh === null ? -1 : reading.registerWh - suspectWh;
  if (suspectWh !== null && sinceSuspect >= 0 && sinceSuspect <= allowed) {
    const rebased = { ...count, carriedWh: count.energyWh, originWh: suspectWh };
    return { count: rise(rebased, count.energyWh + sinceSuspect, reading), oddity: 'jumped' };
  }
  return { count: { ...count, suspectWh: reading.registerWh }, oddity: 'tooFast' };
}

function fallen(count: Count, reading: RegisterReading, ratedW: number | null): Counted {
  const { registerWh } = reading;
  const isFirst = count.lastWh === null;
  // Counts from 0 when that much could have flowed since; otherwise the start is unknown, so it counts from here.
  const isFromZero = registerWh <= allowedWh(count, reading, ratedW);
  const former = count.originWh === null ? null : { originWh: count.originWh, carriedWh: count.carriedWh };
  const restart = { ...count, former, carriedWh: count.energyWh, originWh: isFromZero ? 0 : registerWh };
  const energyWh = count.energyWh + (isFromZero ? registerWh : 0);
  return { count: rise(restart, energyWh, reading), oddity: isFirst && isFromZero ? 'relativeMeter' : 'meterReset' };
}

/** Written field by field, because it runs for every reading of every charge. */
function rise(count: Count, energyWh: number, { registerWh, at, receivedAt }: RegisterReading): Count {
  const hasRisen = energyWh > count.energyWh;
  return {
    energyWh,
    originWh: count.originWh,
    carriedWh: count.carriedWh,
    lastWh: registerWh,
    lastAt: count.lastAt === null ? at : Math.max(at, count.lastAt),
    suspectWh: null,
    former: count.former,
    risenAt: hasRisen ? Math.max(count.risenAt, receivedAt) : count.risenAt,
    risenDeviceAt: hasRisen ? at : count.risenDeviceAt,
  };
}

function newest(count: Count, { registerWh, at }: RegisterReading): Count {
  return { ...count, lastWh: registerWh, lastAt: Math.max(at, count.lastAt ?? at) };
}

export interface Stop {
  /** Null when the device sent no usable value. */
  meterStopWh: number | null;
  meterStartWh: number;
  at: number;
  receivedAt: number;
}

export interface Finished {
  energyWh: number;
  /** The device's values at the end could not be used, so the last reading counts. */
  isFromLastReading: boolean;
}

/**
 * The final energy of a charge. Several interpretations of `meterStop` are tried, the register's own first. A value
 * that is lower than what was already delivered, or more than could have been, is invalid: 0, -1 and stale values are
 * common.
 */
export function finish(count: Count, stop: Stop, ratedW: number | null): Finished {
  const { meterStopWh } = stop;
  const fallback = { energyWh: count.energyWh, isFromLastReading: true };
  if (meterStopWh === null) return fallback;
  const most = count.energyWh + allowedWh(count, stop, ratedW);
  const candidates = [
    count.carriedWh + meterStopWh - (count.originWh ?? meterStopWh),
    // Samples count since the start, meterStart and meterStop for life.
    meterStopWh - stop.meterStartWh,
    // The register jumped during the charge: the part after the jump.
    ...(count.suspectWh === null ? [] : [count.energyWh + meterStopWh - count.suspectWh]),
  ];
  const fitting = candidates.find((wh) => wh >= count.energyWh - wobbleWh && wh <= most);
  return fitting === undefined ? fallback : { energyWh: Math.max(fitting, count.energyWh), isFromLastReading: false };
}
