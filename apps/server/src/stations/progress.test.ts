import { describe, expect, it } from 'vitest';
import { progressOf } from './progress.ts';

const charge = { energyWh: 5_000, limitWh: 20_000, powerW: 50_000, soc: null };

describe('progress of a charge', () => {
  it('is the state of charge when the car reports it, otherwise energy against the limit [CONN-26]', () => {
    expect(progressOf({ ...charge, soc: 61 }).percent).toBe(61);
    expect(progressOf(charge).percent).toBe(25);
    expect(progressOf({ ...charge, energyWh: 19_999 }).percent).toBe(99);
    expect(progressOf({ ...charge, energyWh: 20_100 }).percent).toBe(100);
  });

  it('estimates the time left from the present power [CONN-26]', () => {
    expect(progressOf(charge).secondsLeft).toBe(1_080);
    expect(progressOf({ ...charge, soc: 61, powerW: 25_000 }).secondsLeft).toBe(2_160);
    expect(progressOf({ ...charge, energyWh: 20_100 }).secondsLeft).toBe(0);
  });

  it('is unknown without a limit or a state of charge, and so is the time without power [CONN-26]', () => {
    expect(progressOf({ ...charge, limitWh: null })).toEqual({ percent: null, secondsLeft: null });
    expect(progressOf({ ...charge, limitWh: null, soc: 40 })).toEqual({ percent: 40, secondsLeft: null });
    expect(progressOf({ ...charge, powerW: null }).secondsLeft).toBeNull();
    expect(progressOf({ ...charge, powerW: 0 }).secondsLeft).toBeNull();
  });
});
