/**
 * How the energy of one charge is counted from a register that counts for life, since boot or since the start, and that
 * may fall, jump or begin anew. Energy delivered never falls; what no connector could have delivered is not counted.
 */
export interface Count {
  energyWh: number;
  /** The register's value that counts as nothing. Null: not known, the first reading sets it. */
  originWh: number | null;
  /** Counted before the register began anew. */
  carriedWh: number;
  /** The newest reading and when the device took it. */
  lastWh: number | null;
  lastAt: number | null;
  /** A reading that came too fast to be believed. When the next one goes on from there, counting does too. */
  suspectWh: number | null;
  /** How it was counted before the register fell: one glitch of 0 must not cost the rest of the charge. */
  former: { originWh: number; carriedWh: number } | null;
  /** When the energy last rose: by our clock and by the device's. Coarse registers rise in steps, minutes apart. */
  risenAt: number;
  risenDeviceAt: number;
}

export interface Reading {
  registerWh: number;
  /** By the device's clock. */
  at: number;
  receivedAt: number;
}

/** `older`: a replay from before. `tooFast`: not counted. `jumped`: counting went on past a jump that was left out. */
export type Oddity = 'older' | 'tooFast' | 'jumped' | 'meterReset' | 'relativeMeter';

export interface Counted {
  count: Count;
  oddity: Oddity | null;
}

/** Faster than this share of its rated power no connector delivers. */
export const overRated = 1.2;
/** Readings are not taken exactly when they are stamped. */
const jitterMs = 15_000;
/** Registers wobble by a few Wh when they round; a fall as small as this is no new beginning. */
const wobbleWh = 100;
/** For connectors without a description: the most that a car takes today. */
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

/** The most that can have flowed since the energy last rose. A queue sent in one go is hours by the device's clock alone. */
export function allowedWh(count: Count, reading: Pick<Reading, 'at' | 'receivedAt'>, ratedW: number | null): number {
  const elapsedMs = Math.max(reading.at - count.risenDeviceAt, reading.receivedAt - count.risenAt, 0) + jitterMs;
  return Math.ceil((overRated * (ratedW ?? strongestW) * elapsedMs) / 3_600_000);
}

export function countReading(count: Count, reading: Reading, ratedW: number | null): Counted {
  const { registerWh } = reading;
  if (count.originWh === null) return { count: newest({ ...count, originWh: registerWh }, reading), oddity: null };
  const energyWh = count.carriedWh + registerWh - count.originWh;
  if (registerWh >= count.originWh && energyWh >= count.energyWh) return risen(count, energyWh, reading, ratedW);
  if (count.lastAt !== null && reading.at < count.lastAt) return { count, oddity: 'older' };
  if (registerWh >= count.originWh && count.energyWh - energyWh <= wobbleWh) {
    return { count: newest(count, reading), oddity: null };
  }
  return fallen(count, reading, ratedW);
}

function risen(count: Count, energyWh: number, reading: Reading, ratedW: number | null): Counted {
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

function fallen(count: Count, reading: Reading, ratedW: number | null): Counted {
  const { registerWh } = reading;
  const isFirst = count.lastWh === null;
  // From 0 when that could have flowed since; otherwise nobody knows from where, so it counts from here.
  const isFromZero = registerWh <= allowedWh(count, reading, ratedW);
  const former = count.originWh === null ? null : { originWh: count.originWh, carriedWh: count.carriedWh };
  const anew = { ...count, former, carriedWh: count.energyWh, originWh: isFromZero ? 0 : registerWh };
  const energyWh = count.energyWh + (isFromZero ? registerWh : 0);
  return { count: rise(anew, energyWh, reading), oddity: isFirst && isFromZero ? 'relativeMeter' : 'meterReset' };
}

/** Written out field by field: it runs for every reading of every charge. */
function rise(count: Count, energyWh: number, { registerWh, at, receivedAt }: Reading): Count {
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

function newest(count: Count, { registerWh, at }: Reading): Count {
  return { ...count, lastWh: registerWh, lastAt: Math.max(at, count.lastAt ?? at) };
}

export interface Stop {
  /** Null: it told nothing of use. */
  meterStopWh: number | null;
  meterStartWh: number;
  at: number;
  receivedAt: number;
}

export interface Finished {
  energyWh: number;
  /** What the device said at the end could not be used: the last reading stands. */
  isFromLastReading: boolean;
}

/**
 * The last word on a charge. Several readings of `meterStop` are tried, the register's own first; one that is lower than
 * what was already delivered, or more than could have been, is nonsense: 0, -1 and values from memory are common.
 */
export function finish(count: Count, stop: Stop, ratedW: number | null): Finished {
  const { meterStopWh } = stop;
  const fallback = { energyWh: count.energyWh, isFromLastReading: true };
  if (meterStopWh === null) return fallback;
  const most = count.energyWh + allowedWh(count, stop, ratedW);
  const candidates = [
    count.carriedWh + meterStopWh - (count.originWh ?? meterStopWh),
    // Samples since the start, meterStart and meterStop for life.
    meterStopWh - stop.meterStartWh,
    // It jumped during the charge: what lies past the jump.
    ...(count.suspectWh === null ? [] : [count.energyWh + meterStopWh - count.suspectWh]),
  ];
  const fitting = candidates.find((wh) => wh >= count.energyWh - wobbleWh && wh <= most);
  return fitting === undefined ? fallback : { energyWh: Math.max(fitting, count.energyWh), isFromLastReading: false };
}
