/** Facts about an operation while power flows. */
export interface ChargeFacts {
  energyWh: number;
  /** Null when there is no limit, because the charge is free. */
  limitWh: number | null;
  /** Null when the device does not report it. */
  powerW: number | null;
  /** The car's state of charge in percent; many cars do not report it. */
  soc: number | null;
}

export interface ChargeProgress {
  percent: number | null;
  secondsLeft: number | null;
}

export const noProgress: ChargeProgress = { percent: null, secondsLeft: null };

/** Rounded down, so that 100% is shown only when the charge is done. */
export function progressOf({ energyWh, limitWh, powerW, soc }: ChargeFacts): ChargeProgress {
  const ofLimit = limitWh === null || limitWh === 0 ? null : Math.floor((energyWh * 100) / limitWh);
  const percent = soc ?? ofLimit;
  return {
    percent: percent === null ? null : Math.min(100, Math.max(0, percent)),
    secondsLeft: secondsLeft(energyWh, limitWh, powerW),
  };
}

/** At the present power; null without power. */
function secondsLeft(energyWh: number, limitWh: number | null, powerW: number | null): number | null {
  if (limitWh === null || powerW === null || powerW <= 0) return null;
  return Math.ceil((Math.max(0, limitWh - energyWh) * 3600) / powerW);
}
