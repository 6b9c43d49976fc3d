import type { MeterSample } from '@fpay/ocpp';

/** The units that a register may really have, whatever its label says. */
export type RegisterUnit = 'Wh' | 'kWh';

export interface Suspicion {
  /** The register according to its label, in Wh. */
  registerWh: number;
  meterStartWh: number;
  originWh: number;
  /** The most that can have flowed since the energy last rose, and what was counted before. */
  allowedWh: number;
  energyWh: number;
  /** No reading was counted yet. A label is wrong from the beginning, and a meter that restarts may show anything. */
  isFirst: boolean;
  /** The reported power integrated over the time of the charge. */
  expectedWh: number;
}

/** Below this, power over time is too coarse to reject a label. */
const leastExpectedWh = 300;
/** A register this large does not match a thousandth of itself by chance. */
const leastLifetimeWh = 10_000;
const kWhRoundingWh = 1_000;

/**
 * The real unit of a register when its label cannot be right; null when the label may be right. It is found by the
 * register itself, which starts at `meterStart` in Wh, or by power over time: a thousand times too little or too much.
 */
export function trueUnit(facts: Suspicion): RegisterUnit | null {
  const { registerWh, meterStartWh, allowedWh } = facts;
  const ceiling = meterStartWh + facts.energyWh + allowedWh;
  const asKwh = registerWh * 1000;
  const isForLife = facts.isFirst && meterStartWh >= leastLifetimeWh;
  const isThousandth = registerWh < meterStartWh / 10 && asKwh >= meterStartWh - kWhRoundingWh;
  if (isForLife && isThousandth && asKwh <= ceiling + kWhRoundingWh) return 'kWh';

  // The samples are labelled correctly, but `meterStart` is in kWh too: the charge began at a thousand times its value.
  const sinceStartWh = registerWh - meterStartWh * 1000;
  const isStartInKwh = facts.isFirst && meterStartWh > 0 && sinceStartWh > 0 && sinceStartWh <= allowedWh;
  if (isStartInKwh && registerWh > ceiling) return 'kWh';

  const asWh = registerWh / 1000;
  if (isForLife && registerWh > ceiling && asWh >= meterStartWh - 1 && asWh <= ceiling) return 'Wh';

  const risenWh = registerWh - facts.originWh;
  if (facts.expectedWh < leastExpectedWh || risenWh < 0) return null;
  if (risenWh < facts.expectedWh / 100 && isNear(risenWh * 1000, facts.expectedWh)) return 'kWh';
  return null;
}

/**
 * Power is sampled, not integrated, and a kWh register was rounded to whole Wh, so the tolerance is half to double plus
 * rounding.
 */
function isNear(wh: number, expectedWh: number): boolean {
  return wh + kWhRoundingWh / 2 >= expectedWh / 2 && wh - kWhRoundingWh / 2 <= expectedWh * 2 && wh > 0;
}

/**
 * The same samples with the corrected label. They are converted from the original values, so that rounding loses no
 * digit.
 */
export function relabelled(samples: readonly MeterSample[], unit: RegisterUnit): MeterSample[] {
  return samples.map((sample) => {
    const { energyWh, exactWh = energyWh, isInKwh = false } = sample;
    if (exactWh === undefined || isInKwh === (unit === 'kWh')) return sample;
    return { ...sample, energyWh: Math.round(isInKwh ? exactWh / 1000 : exactWh * 1000) };
  });
}
