import { describe, expect, test } from 'vitest';
import { planStop } from './limit-guard.ts';

const reading = (energyWh: number, powerW: number | null) => ({ atMs: 0, energyWh, powerW });

describe('the planned stop', () => {
  const cases: [
    what: string,
    limitWh: number,
    energyWh: number,
    powerW: number | null,
    ratedW: number,
    plan: object,
  ][] = [
    [
      'at the start rated power counts, and a reading is asked for first',
      1_000,
      0,
      null,
      60_000,
      { stopAtMs: 64_000, askAtMs: 58_000 },
    ],
    ['a small limit is asked for at once', 50, 0, null, 350_000, { stopAtMs: 4_514, askAtMs: 1_000 }],
    [
      'full power is foreseen, ahead of the limit by the delay of a command',
      10_000,
      5_000,
      60_000,
      60_000,
      { stopAtMs: 297_500, askAtMs: 292_900 },
    ],
    [
      'a car that takes less is asked for again before rated power could have passed the limit',
      10_000,
      9_000,
      6_000,
      60_000,
      { stopAtMs: 64_000, askAtMs: 58_000 },
    ],
    ['no power at all is no reason to wait for ever', 10_000, 9_000, 0, 60_000, { stopAtMs: 64_000, askAtMs: 58_000 }],
    [
      'a fresh reading near the limit decides by itself',
      10_000,
      9_900,
      60_000,
      60_000,
      { stopAtMs: 3_500, askAtMs: null },
    ],
    ['at the limit it stops at once', 10_000, 9_990, 60_000, 60_000, { stopAtMs: 0, askAtMs: null }],
    ['past the limit it stops at once', 10_000, 12_000, null, 60_000, { stopAtMs: 0, askAtMs: null }],
  ];
  test.each(cases)('%s', (_, limitWh, energyWh, powerW, ratedW, plan) => {
    expect(planStop(limitWh, reading(energyWh, powerW), ratedW)).toEqual(plan);
  });

  test('never lets rated power flow for more than 5 s past the limit without a reading', () => {
    for (const ratedW of [3_700, 22_000, 150_000, 350_000]) {
      for (const limitWh of [50, 500, 5_000, 100_000]) {
        for (const share of [0, 0.3, 0.9, 0.99]) {
          for (const powerW of [null, 0, ratedW / 10, ratedW]) {
            const energyWh = limitWh * share;
            const { stopAtMs } = planStop(limitWh, reading(energyWh, powerW), ratedW);
            expect(energyWh + (ratedW * stopAtMs) / 3_600_000).toBeLessThanOrEqual(
              limitWh + (ratedW * 5_000) / 3_600_000,
            );
          }
        }
      }
    }
  });
});
