import { overRated, strongestW } from './energy.ts';

/** The power of a charge: the reported one while the register agrees, otherwise that of the last two registers. */
export interface PowerState {
  /** As last reported, limited by the rating of the connector. */
  powerW: number | null;
  /** Between the last two readings whose registers differ. */
  measuredW: number | null;
  /** How much the register rose between them. A coarse register rises in large steps. */
  riseWh: number;
  /** The reported power is impossible, or does not match the register. */
  isPowerFalse: boolean;
  /** What the register rose since the last measurement, and in how long: too little yet to measure. */
  pendingWh: number;
  pendingMs: number;
}

export const unknownPower: PowerState = {
  powerW: null,
  measuredW: null,
  riseWh: 0,
  isPowerFalse: false,
  pendingWh: 0,
  pendingMs: 0,
};

/** Registers are whole Wh: below both limits, rounding is too large a part of the difference. */
const leastSpanMs = 5_000;
const leastRiseWh = 20;
/** Power is sampled at one moment and the register integrates it, so only a large difference is a contradiction. */
const contradiction = { times: 3, watts: 300 };
/** A register that shows this much less than the power has the wrong unit itself; `meter-unit.ts` detects that. */
const wrongRegisterTimes = 100;

const mostW = (ratedW: number | null) => Math.round(overRated * (ratedW ?? strongestW));

/** The reported power, unless no connector of this rating could deliver it. */
export function possibleW(reportedW: number | undefined, ratedW: number | null): number | undefined {
  if (reportedW === undefined || reportedW < 0) return undefined;
  return reportedW <= mostW(ratedW) ? reportedW : undefined;
}

export interface PowerReading {
  reportedW: number | undefined;
  /** How much the register rose, and in how long. */
  risenWh: number;
  spanMs: number;
}

export function nextPower(
  power: PowerState,
  { reportedW, risenWh, spanMs }: PowerReading,
  ratedW: number | null,
): PowerState {
  const possible = possibleW(reportedW, ratedW);
  const isImpossible = reportedW !== undefined && possible === undefined;
  const powerW = possible ?? power.powerW;
  const hasRisen = risenWh > 0 && spanMs > 0;
  const riseWh = power.pendingWh + (hasRisen ? risenWh : 0);
  const riseMs = power.pendingMs + (hasRisen ? spanMs : 0);
  // A device that reports every few seconds is measured over several of its readings.
  const isMeasured = hasRisen && (riseMs >= leastSpanMs || riseWh >= leastRiseWh);
  if (!isMeasured) {
    const isPowerFalse = power.isPowerFalse || isImpossible;
    return { ...power, powerW, isPowerFalse, pendingWh: riseWh, pendingMs: riseMs };
  }
  const risingW = Math.round((riseWh * 3_600_000) / riseMs);
  // Readings are not taken exactly at their timestamps, so a register that rises too fast for its connector measures
  // nothing.
  const measuredW = Math.min(risingW, mostW(ratedW));
  const meanW = powerW === null ? null : ((power.powerW ?? powerW) + powerW) / 2;
  const isPowerFalse = isImpossible || (risingW === measuredW && meanW !== null && contradicts(meanW, measuredW));
  return { powerW, measuredW, riseWh, isPowerFalse, pendingWh: 0, pendingMs: 0 };
}

function contradicts(reportedW: number, measuredW: number): boolean {
  if (reportedW > wrongRegisterTimes * measuredW) return false;
  const [low, high] = reportedW < measuredW ? [reportedW, measuredW] : [measuredW, reportedW];
  return high > contradiction.times * low + contradiction.watts;
}

/** The most likely present power. While a register does not rise, less than its last step can have flowed since. */
export function presentW({ powerW, measuredW, riseWh, isPowerFalse }: PowerState, sinceRiseMs: number): number | null {
  if (powerW !== null && !isPowerFalse) return powerW;
  if (measuredW === null || sinceRiseMs <= 0) return measuredW;
  return Math.min(measuredW, Math.round((riseWh * 3_600_000) / sinceRiseMs));
}
