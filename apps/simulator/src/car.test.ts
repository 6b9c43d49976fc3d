import { describe, expect, it } from 'vitest';
import { charge, powerTaken, randomCar, typicalCar } from './car.ts';
import { createRandom } from './random.ts';

const HOUR_MS = 3_600_000;

describe('the power that a car takes', () => {
  const cases: [what: string, soc: number, isDc: boolean, offeredW: number, flowingMs: number, watts: number][] = [
    ['begins at nothing', 20, true, 60_000, 0, 0],
    ['is half way up after half the ramp', 20, true, 60_000, 15_000, 30_000],
    ['is all that is offered after the ramp', 20, true, 60_000, 30_000, 60_000],
    ['is no more than the car can take', 20, true, 350_000, 60_000, 135_000],
    ['is on AC what the on-board charger takes', 20, false, 22_000, 60_000, 11_000],
    ['is whole until the battery asks for less', 75, true, 135_000, 60_000, 135_000],
    ['tapers as the battery fills', 87.5, true, 135_000, 60_000, 72_900],
    ['is still what is offered where that is less than the taper', 87.5, true, 50_000, 60_000, 50_000],
    ['is nothing when it is full', 100, true, 60_000, 60_000, 0],
  ];
  it.each(cases)('%s', (_, soc, isDc, offeredW, flowingMs, watts) => {
    expect(powerTaken(typicalCar(soc), isDc, offeredW, flowingMs)).toBeCloseTo(watts);
  });

  it('ends at the limit that the driver set in the car', () => {
    expect(powerTaken({ ...typicalCar(80), targetSoc: 80 }, true, 60_000, 60_000)).toBe(0);
  });
});

describe('a charge', () => {
  it('of an hour at constant power is power times time, minus the ramp', () => {
    const { energyWh, car, powerW } = charge(typicalCar(10), true, 40_000, 0, HOUR_MS);
    expect(energyWh).toBeCloseTo(40_000 - (40_000 * 15) / 3600, 0);
    expect(car.soc).toBeCloseTo(10 + (energyWh * 0.93 * 100) / 77_000);
    expect(powerW).toBe(40_000);
  });

  it('gives the same result in one interval and in many', () => {
    const whole = charge(typicalCar(60), true, 100_000, 0, 1_200_000);
    let parts = { car: typicalCar(60), energyWh: 0 };
    for (let at = 0; at < 1_200_000; at += 10_000) {
      const { car, energyWh } = charge(parts.car, true, 100_000, at, 10_000);
      parts = { car, energyWh: parts.energyWh + energyWh };
    }
    expect(parts.energyWh).toBeCloseTo(whole.energyWh, 6);
  });

  it('stops when the car is full, and no energy is added after that', () => {
    const { car, powerW } = charge(typicalCar(98), true, 60_000, 60_000, 2 * HOUR_MS);
    expect(car.soc).toBe(100);
    expect(powerW).toBe(0);
    expect(charge(car, true, 60_000, 60_000, HOUR_MS).energyWh).toBe(0);
  });
});

it('cars arrive at random, and the same seed gives the same cars', () => {
  const cars = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 5 }, () => randomCar(random));
  };
  expect(cars(1)).toEqual(cars(1));
  expect(cars(1)).not.toEqual(cars(2));
  expect(new Set(cars(1).map(({ soc }) => soc)).size).toBeGreaterThan(2);
});
