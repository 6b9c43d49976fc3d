import { overRated, strongestW } from './energy.ts';

/** The power of a charge: as the device reports it while its register agrees, otherwise as the last two registers show it. */
export interface Power {
  /** As last reported, within what the connector can do. */
  powerW: number | null;
  /** Between the last two readings whose registers differ. */
  measuredW: number | null;
  /** What the register rose by between them. A coarse register rises in large steps. */
  riseWh: number;
  /** The reported power is impossible, or does not fit the register. */
  isPowerFalse: boolean;
}

export const unknownPower: Power = { powerW: null, measuredW: null, riseWh: 0, isPowerFalse: false };

/** Registers are whole Wh: below both of these, rounding is too large a part of the difference. */
const leastSpanMs = 5_000;
const leastRiseWh = 20;
/** Power is sampled at one moment and the register sums it up, so only a large difference is a contradiction. */
const contradiction = { times: 3, watts: 300 };
/** A register that shows this much less than the power is in the wrong unit itself; `meter-unit.ts` finds that out. */
const wrongRegisterTimes = 100;

const mostW = (ratedW: number | null) => Math.round(overRated * (ratedW ?? strongestW));

/** What a device reports, unless no connector of this rating could deliver it. */
export function possibleW(reportedW: number | undefined, ratedW: number | null): number | undefined {
  if (reportedW === undefined || reportedW < 0) return undefined;
  return reportedW <= mostW(ratedW) ? reportedW : undefined;
}

export interface PowerReading {
  reportedW: number | undefined;
  /** What the register rose by, and in how long. */
  risenWh: number;
  spanMs: number;
}

export function nextPower(power: Power, { reportedW, risenWh, spanMs }: PowerReading, ratedW: number | null): Power {
  const possible = possibleW(reportedW, ratedW);
  const isImpossible = reportedW !== undefined && possible === undefined;
  const powerW = possible ?? power.powerW;
  const isMeasured = risenWh > 0 && spanMs > 0 && (spanMs >= leastSpanMs || risenWh >= leastRiseWh);
  if (!isMeasured) return { ...power, powerW, isPowerFalse: power.isPowerFalse || isImpossible };
  const risingW = Math.round((risenWh * 3_600_000) / spanMs);
  // Readings are not taken exactly when they are stamped: a register that rises too fast for its connector measures nothing.
  const measuredW = Math.min(risingW, mostW(ratedW));
  const meanW = powerW === null ? null : ((power.powerW ?? powerW) + powerW) / 2;
  const isPowerFalse = isImpossible || (risingW === measuredW && meanW !== null && contradicts(meanW, measuredW));
  return { powerW, measuredW, riseWh: risenWh, isPowerFalse };
}

function contradicts(reportedW: number, measuredW: number): boolean {
  if (reportedW > wrongRegisterTimes * measuredW) return false;
  const [low, high] = reportedW < measuredW ? [reportedW, measuredW] : [measuredW, reportedW];
  return high > contradiction.times * low + contradiction.watts;
}

/** What most likely flows now. While a register stands still, less than its last step can have flowed since. */
export function presentW({ powerW, measuredW, riseWh, isPowerFalse }: Power, sinceRiseMs: number): number | null {
  if (powerW !== null && !isPowerFalse) return powerW;
  if (measuredW === null || sinceRiseMs <= 0) return measuredW;
  return Math.min(measuredW, Math.round((riseWh * 3_600_000) / sinceRiseMs));
}
