/** What is known of an operation while power flows. */
export interface Charge {
  energyWh: number;
  /** Null: no limit, the charge is free. */
  limitWh: number | null;
  /** Null: the device does not say. */
  powerW: number | null;
  /** The car's state of charge in percent; many cars do not tell. */
  soc: number | null;
}

export interface Progress {
  percent: number | null;
  secondsLeft: number | null;
}

export const noProgress: Progress = { percent: null, secondsLeft: null };

/** Rounded down: a driver who reads 100% finds the charge done. */
export function progressOf({ energyWh, limitWh, powerW, soc }: Charge): Progress {
  const ofLimit = limitWh === null || limitWh === 0 ? null : Math.floor((energyWh * 100) / limitWh);
  const percent = soc ?? ofLimit;
  return {
    percent: percent === null ? null : Math.min(100, Math.max(0, percent)),
    secondsLeft: secondsLeft(energyWh, limitWh, powerW),
  };
}

/** At the present power; without power nobody can tell. */
function secondsLeft(energyWh: number, limitWh: number | null, powerW: number | null): number | null {
  if (limitWh === null || powerW === null || powerW <= 0) return null;
  return Math.ceil((Math.max(0, limitWh - energyWh) * 3600) / powerW);
}
