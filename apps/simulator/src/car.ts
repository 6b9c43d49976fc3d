import type { Random } from './random.ts';

/** A car that is connected: its state of charge and the power that it can take. */
export interface Car {
  model: string;
  batteryWh: number;
  /** Percent, with fractions. */
  soc: number;
  maxAcW: number;
  maxDcW: number;
  /** The limit that the driver set in the car's menu. */
  targetSoc: number;
}

/** Typical values of cars on Ukrainian roads. */
const models: readonly [Omit<Car, 'soc' | 'targetSoc'>, ...Omit<Car, 'soc' | 'targetSoc'>[]] = [
  { model: 'Nissan Leaf', batteryWh: 40_000, maxAcW: 6_600, maxDcW: 46_000 },
  { model: 'Volkswagen ID.4', batteryWh: 77_000, maxAcW: 11_000, maxDcW: 135_000 },
  { model: 'Tesla Model 3', batteryWh: 60_000, maxAcW: 11_000, maxDcW: 170_000 },
  { model: 'Renault Zoe', batteryWh: 52_000, maxAcW: 22_000, maxDcW: 46_000 },
  { model: 'Hyundai Ioniq 5', batteryWh: 74_000, maxAcW: 11_000, maxDcW: 230_000 },
  { model: 'BYD Song Plus', batteryWh: 71_800, maxAcW: 6_600, maxDcW: 85_000 },
  { model: 'Chevrolet Bolt', batteryWh: 65_000, maxAcW: 7_200, maxDcW: 55_000 },
];

export function randomCar(random: Random): Car {
  return { ...random.pick(models), soc: Math.round(random.between(8, 65)), targetSoc: random.chance(0.3) ? 80 : 100 };
}

/** An average car with a low battery, for tests and the control page. */
export function typicalCar(soc = 20): Car {
  return { model: 'Volkswagen ID.4', batteryWh: 77_000, maxAcW: 11_000, maxDcW: 135_000, soc, targetSoc: 100 };
}

/** Time from the request to full power: DC checks the insulation and raises the voltage, AC closes a relay. */
const RAMP_MS = { dc: 30_000, ac: 6_000 } as const;

/** The state of charge from which the battery requests less power, and the share that remains when it is full. */
const TAPER = { dc: { from: 75, left: 0.08 }, ac: { from: 97, left: 0.3 } } as const;

/** The share of the metered energy that reaches the battery; the rest is heat. */
export const EFFICIENCY = 0.93;

/** The power that a car takes now, in W at the meter. `flowingMs` is the time since the power was switched on. */
export function powerTaken(car: Car, isDc: boolean, offeredW: number, flowingMs: number): number {
  if (car.soc >= car.targetSoc) return 0;
  const kind = isDc ? 'dc' : 'ac';
  const ramp = Math.min(1, flowingMs / RAMP_MS[kind]);
  const { from, left } = TAPER[kind];
  const taper = car.soc <= from ? 1 : 1 - ((1 - left) * (car.soc - from)) / (100 - from);
  return Math.min(offeredW, (isDc ? car.maxDcW : car.maxAcW) * taper) * ramp;
}

/** With steps this short, ramp and taper differ from a continuous curve by less than a meter reports. */
const STEP_MS = 2_000;

export interface ChargeInterval {
  car: Car;
  energyWh: number;
  /** Power at the end of the interval. */
  powerW: number;
}

/** Charges for `durationMs` and returns what passed the meter. */
export function charge(
  car: Car,
  isDc: boolean,
  offeredW: number,
  flowingMs: number,
  durationMs: number,
): ChargeInterval {
  let energyWh = 0;
  let soc = car.soc;
  for (let done = 0; done < durationMs; ) {
    const step = Math.min(STEP_MS, durationMs - done);
    const powerW = powerTaken({ ...car, soc }, isDc, offeredW, flowingMs + done + step / 2);
    const room = (Math.max(0, car.targetSoc - soc) / 100) * car.batteryWh;
    const stepWh = Math.min((powerW * step) / 3_600_000, room / EFFICIENCY);
    energyWh += stepWh;
    soc = Math.min(car.targetSoc, soc + (stepWh * EFFICIENCY * 100) / car.batteryWh);
    // The target is reached exactly; otherwise rounding would make a full car request ever smaller amounts.
    if (car.targetSoc - soc < 1e-9) soc = car.targetSoc;
    done += step;
  }
  const charged = { ...car, soc };
  return { car: charged, energyWh, powerW: powerTaken(charged, isDc, offeredW, flowingMs + durationMs) };
}
