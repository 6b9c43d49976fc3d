import type { MeterSample } from '@fpay/ocpp';

/** The units a register may really be in, whatever its label says. */
export type RegisterUnit = 'Wh' | 'kWh';

export interface Suspicion {
  /** The register by its label, in Wh. */
  registerWh: number;
  meterStartWh: number;
  originWh: number;
  /** The most that can have flowed since the energy last rose, and what did before. */
  allowedWh: number;
  energyWh: number;
  /** Nothing was read yet: a label is wrong from the beginning, and a meter that starts anew may show anything. */
  isFirst: boolean;
  /** What the reported power comes to over the time of the charge. */
  expectedWh: number;
}

/** Below this, power over time is too coarse to accuse a label. */
const leastExpectedWh = 300;
/** A register this large cannot be mistaken for a thousandth of itself by chance. */
const leastLifetimeWh = 10_000;
const kWhRoundingWh = 1_000;

/**
 * The unit a register is really in when its label cannot be right; null when the label may stand. Told by the register
 * itself, which starts at `meterStart` in Wh, or else by power over time: a thousand times too little or too much.
 */
export function trueUnit(told: Suspicion): RegisterUnit | null {
  const { registerWh, meterStartWh, allowedWh } = told;
  const ceiling = meterStartWh + told.energyWh + allowedWh;
  const asKwh = registerWh * 1000;
  const isForLife = told.isFirst && meterStartWh >= leastLifetimeWh;
  const isThousandth = registerWh < meterStartWh / 10 && asKwh >= meterStartWh - kWhRoundingWh;
  if (isForLife && isThousandth && asKwh <= ceiling + kWhRoundingWh) return 'kWh';

  // The samples are labelled rightly, but `meterStart` is in kWh too: the charge began at a thousand times its value.
  const sinceStartWh = registerWh - meterStartWh * 1000;
  const isStartInKwh = told.isFirst && meterStartWh > 0 && sinceStartWh > 0 && sinceStartWh <= allowedWh;
  if (isStartInKwh && registerWh > ceiling) return 'kWh';

  const asWh = registerWh / 1000;
  if (isForLife && registerWh > ceiling && asWh >= meterStartWh - 1 && asWh <= ceiling) return 'Wh';

  const risenWh = registerWh - told.originWh;
  if (told.expectedWh < leastExpectedWh || risenWh < 0) return null;
  if (risenWh < told.expectedWh / 100 && isNear(risenWh * 1000, told.expectedWh)) return 'kWh';
  return null;
}

/** Power is sampled, not summed, and a kWh register has been rounded to whole Wh on the way: half to double, and a rounding. */
function isNear(wh: number, expectedWh: number): boolean {
  return wh + kWhRoundingWh / 2 >= expectedWh / 2 && wh - kWhRoundingWh / 2 <= expectedWh * 2 && wh > 0;
}

/** The same samples with the register's label put right. From what was told, so that no digit is lost to rounding. */
export function relabelled(samples: readonly MeterSample[], unit: RegisterUnit): MeterSample[] {
  return samples.map((sample) => {
    const { energyWh, exactWh = energyWh, isInKwh = false } = sample;
    if (exactWh === undefined || isInKwh === (unit === 'kWh')) return sample;
    return { ...sample, energyWh: Math.round(isInKwh ? exactWh / 1000 : exactWh * 1000) };
  });
}
