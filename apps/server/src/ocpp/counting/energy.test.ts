import { describe, expect, test } from 'vitest';
import { type Count, countReading, finish, newCount, type Oddity } from './energy.ts';

const start = Date.UTC(2026, 10, 15, 10);
const minute = 60_000;
const ratedW = 60_000;

/** Readings as [minute, register]; returns the energy after each and its irregularity. */
function run(
  meterStart: number | null,
  readings: [number, number][],
): { energies: number[]; oddities: (Oddity | null)[]; count: Count } {
  let count = newCount(meterStart, start, start);
  const energies: number[] = [];
  const oddities: (Oddity | null)[] = [];
  for (const [minutes, registerWh] of readings) {
    const at = start + minutes * minute;
    const counted = countReading(count, { registerWh, at, receivedAt: at }, ratedW);
    count = counted.count;
    energies.push(count.energyWh);
    oddities.push(counted.oddity);
  }
  return { energies, oddities, count };
}

describe('energy from a register', () => {
  const cases: {
    name: string;
    meterStart: number | null;
    readings: [number, number][];
    energies: number[];
    oddities?: (Oddity | null)[];
  }[] = [
    {
      name: 'counts from the start of the charge, whatever the meter showed before',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [2, 1_001_800],
        [3, 1_001_800],
      ],
      energies: [900, 1_800, 1_800],
    },
    {
      name: 'counts below zero',
      meterStart: -3_000,
      readings: [
        [1, -2_100],
        [2, -1_997],
      ],
      energies: [900, 1_003],
    },
    {
      name: 'does not take a value below zero for a register that began above it',
      meterStart: 100,
      readings: [
        [1, 140],
        [2, -1],
        [3, 150],
      ],
      energies: [40, 40, 50],
    },
    {
      name: 'never falls when a reading from before comes late',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [3, 1_002_700],
        [2, 1_001_800],
      ],
      energies: [900, 2_700, 2_700],
      oddities: [null, null, 'older'],
    },
    {
      name: 'rises with a clock that was set back in the middle',
      meterStart: 1_000_000,
      readings: [
        [60, 1_000_900],
        [2, 1_001_100],
      ],
      energies: [900, 1_100],
    },
    {
      name: 'takes no notice of a register that wobbles by a few Wh',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [2, 1_000_895],
        [3, 1_001_700],
      ],
      energies: [900, 900, 1_700],
    },
    {
      name: 'goes on when the meter began again from 0',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [2, 300],
        [3, 1_200],
      ],
      energies: [900, 1_200, 2_100],
      oddities: [null, 'meterReset', null],
    },
    {
      name: 'goes on where it was after a single reading of 0',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [2, 0],
        [3, 1_002_500],
        [4, 1_003_400],
      ],
      energies: [900, 900, 2_500, 3_400],
      oddities: [null, 'meterReset', null, null],
    },
    {
      name: 'counts a meter that starts at 0 with the charge, against a meterStart for life',
      meterStart: 1_000_000,
      readings: [
        [1, 800],
        [2, 1_700],
      ],
      energies: [800, 1_700],
      oddities: ['relativeMeter', null],
    },
    {
      name: 'leaves out what no connector could have delivered',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [2, 1_500_000],
        [3, 1_002_600],
      ],
      energies: [900, 900, 2_600],
      oddities: [null, 'tooFast', null],
    },
    {
      name: 'goes on past a jump that stays, without the jump',
      meterStart: 1_000_000,
      readings: [
        [1, 1_000_900],
        [2, 1_500_000],
        [3, 1_500_900],
        [4, 1_501_800],
      ],
      energies: [900, 900, 1_800, 2_700],
      oddities: [null, 'tooFast', 'jumped', null],
    },
    {
      name: 'believes a coarse register that rises in whole kWh, minutes apart',
      meterStart: 50_000,
      readings: [
        [1, 50_000],
        [2, 50_000],
        [3, 50_000],
        [4, 53_000],
        [7, 56_000],
      ],
      energies: [0, 0, 0, 3_000, 6_000],
    },
    {
      name: 'starts with the first reading when the start has no meter reading',
      meterStart: null,
      readings: [
        [1, 7_000],
        [2, 7_900],
      ],
      energies: [0, 900],
    },
  ];
  test.each(cases)('$name', ({ meterStart, readings, energies, oddities }) => {
    const result = run(meterStart, readings);
    expect(result.energies).toEqual(energies);
    if (oddities) expect(result.oddities).toEqual(oddities);
  });

  test('hours of queued readings sent in one second are dated by the device’s own clock', () => {
    let count = newCount(0, start, start - 240 * minute);
    for (let n = 1; n <= 240; n += 1) {
      const reading = { registerWh: n * 500, at: start - (240 - n) * minute, receivedAt: start + n };
      count = countReading(count, reading, ratedW).count;
    }
    expect(count.energyWh).toBe(120_000);
  });
});

describe('the final energy', () => {
  const begun = (readings: [number, number][], meterStart: number | null = 1_000_000) =>
    run(meterStart, readings).count;
  const stop = (meterStopWh: number | null, minutes = 10) => ({
    meterStopWh,
    meterStartWh: 1_000_000,
    at: start + minutes * minute,
    receivedAt: start + minutes * minute,
  });
  const cases: {
    name: string;
    count: Count;
    meterStop: number | null;
    energyWh: number;
    isFromLastReading: boolean;
  }[] = [
    {
      name: 'meterStop counts past the last reading',
      count: begun([[5, 1_003_000]]),
      meterStop: 1_009_000,
      energyWh: 9_000,
      isFromLastReading: false,
    },
    {
      name: 'no meterStop at all',
      count: begun([[5, 1_003_000]]),
      meterStop: null,
      energyWh: 3_000,
      isFromLastReading: true,
    },
    { name: 'meterStop 0', count: begun([[5, 1_003_000]]), meterStop: 0, energyWh: 3_000, isFromLastReading: true },
    {
      name: 'meterStop below meterStart',
      count: begun([[5, 1_003_000]]),
      meterStop: 999_000,
      energyWh: 3_000,
      isFromLastReading: true,
    },
    {
      name: 'meterStop from memory, before the last reading',
      count: begun([[5, 1_003_000]]),
      meterStop: 1_001_000,
      energyWh: 3_000,
      isFromLastReading: true,
    },
    {
      name: 'meterStop beyond all power',
      count: begun([[5, 1_003_000]]),
      meterStop: 3_000_000,
      energyWh: 3_000,
      isFromLastReading: true,
    },
    {
      name: 'samples since the start, meterStop for life',
      count: begun([[5, 3_000]]),
      meterStop: 1_004_000,
      energyWh: 4_000,
      isFromLastReading: false,
    },
    {
      name: 'samples and meterStop since the start',
      count: begun([[5, 3_000]]),
      meterStop: 4_500,
      energyWh: 4_500,
      isFromLastReading: false,
    },
    {
      name: 'no reading before the stop',
      count: begun([]),
      meterStop: 1_009_000,
      energyWh: 9_000,
      isFromLastReading: false,
    },
    {
      name: 'a jump just before the stop',
      count: begun([
        [5, 1_003_000],
        [6, 1_900_000],
      ]),
      meterStop: 1_900_900,
      energyWh: 3_900,
      isFromLastReading: false,
    },
  ];
  test.each(cases)('$name', ({ count, meterStop, energyWh, isFromLastReading }) => {
    expect(finish(count, stop(meterStop), ratedW)).toEqual({ energyWh, isFromLastReading });
  });
});
