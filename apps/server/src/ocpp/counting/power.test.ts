import { expect, test } from 'vitest';
import { nextPower, type PowerReading, type PowerState, presentW, unknownPower } from './power.ts';

const ratedW = 22_000;
/** 20 kW flow, with a reading every 10 s. */
const flowing = { risenWh: 56, spanMs: 10_000 };
const after = (readings: readonly Partial<PowerReading>[]): PowerState =>
  readings.reduce<PowerState>(
    (power, reading) => nextPower(power, { reportedW: undefined, ...flowing, ...reading }, ratedW),
    unknownPower,
  );

test.each<[what: string, readings: Partial<PowerReading>[], watts: number | null]>([
  ['as reported, when the register agrees', [{ reportedW: 20_000 }, { reportedW: 19_000 }], 19_000],
  ['never reported: from the last two registers', [{}, {}], 20_160],
  ['reported as 0 while the register rises', [{ reportedW: 0 }, { reportedW: 0 }], 20_160],
  ['20.1 labelled W: a thousand times too little', [{ reportedW: 20 }, { reportedW: 20 }], 20_160],
  ['7,200 labelled kW: more than the connector can do', [{ reportedW: 7_200_000 }], 20_160],
  ['below zero', [{ reportedW: -20_000 }], 20_160],
  ['impossible before the register has moved: not known', [{ reportedW: 7_200_000, risenWh: 0 }], null],
  [
    'field problem 61: 7,200 labelled kW with a reading of 6 Wh every 3 s',
    Array.from({ length: 4 }, () => ({ reportedW: 7_200_000, risenWh: 6, spanMs: 3_000 })),
    7_200,
  ],
  [
    'right again after one wrong value',
    [{ reportedW: 20_000 }, { reportedW: 7_200_000 }, { reportedW: 20_000 }],
    20_000,
  ],
  ['a ramp is no contradiction', [{ reportedW: 20_000, risenWh: 28 }], 20_000],
  ['a car that pauses is no contradiction', [{ reportedW: 20_000 }, { reportedW: 0 }], 0],
  ['two readings a second apart do not measure a rounding error', [{}, { risenWh: 7, spanMs: 1_000 }], 20_160],
])('%s', (_, readings, watts) => {
  expect(presentW(after(readings), 0)).toBe(watts);
});

test('a register that does not rise lets the measured power decrease', () => {
  const power = after([{}, {}]);
  expect([5_000, 10_000, 20_000, 40_000].map((ms) => presentW(power, ms))).toEqual([20_160, 20_160, 10_080, 5_040]);
});
