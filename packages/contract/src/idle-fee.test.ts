import { expect, test } from 'vitest';
import { billedIdleMinutes, billOf, IdleFee, idleFeeFor } from './idle-fee.ts';
import { kopecks, wattHours } from './money.ts';

test.each([
  ['nothing', 0, 10, 0],
  ['within the grace time', 599, 10, 0],
  ['the grace time exactly', 600, 10, 0],
  ['a minute that has only begun', 659, 10, 0],
  ['one whole minute', 660, 10, 1],
  ['an hour', 3600 + 600, 10, 60],
])('whole minutes after the grace time are paid: %s', (_what, seconds, grace, minutes) => {
  expect(billedIdleMinutes(seconds, grace)).toBe(minutes);
  expect(idleFeeFor(seconds, 2_50, grace)).toBe(minutes * 2_50);
});

test.each([
  // price 15 UAH per kWh, deposit 100 UAH
  ['energy alone', 4_000, 0, { energyTotal: 60_00, idleTotal: 0, total: 60_00, realTotal: 60_00 }],
  ['energy and fee', 4_000, 25_00, { energyTotal: 60_00, idleTotal: 25_00, total: 85_00, realTotal: 85_00 }],
  [
    'the fee takes exactly the rest',
    4_000,
    40_00,
    { energyTotal: 60_00, idleTotal: 40_00, total: 100_00, realTotal: 100_00 },
  ],
  ['never above the deposit', 4_000, 99_00, { energyTotal: 60_00, idleTotal: 40_00, total: 100_00, realTotal: 100_00 }],
  ['energy goes first', 6_600, 5_00, { energyTotal: 99_00, idleTotal: 1_00, total: 100_00, realTotal: 100_00 }],
  ['energy past the limit', 7_000, 5_00, { energyTotal: 100_00, idleTotal: 0, total: 100_00, realTotal: 105_00 }],
  ['nothing delivered, nothing billed', 0, 50_00, { energyTotal: 0, idleTotal: 0, total: 0, realTotal: 0 }],
])('a bill is energy and idle fee within the deposit: %s', (_what, energy, fee, bill) => {
  const terms = { price: kopecks(15_00), deposit: kopecks(100_00), idleFee: kopecks(fee) };
  expect(billOf(terms, wattHours(energy))).toEqual(bill);
});

test('a free charge has no idle fee, because it has no deposit', () => {
  const terms = { price: kopecks(0), deposit: kopecks(0), idleFee: kopecks(50_00) };
  expect(billOf(terms, wattHours(9_000)).total).toBe(0);
});

test.each([
  [{ fee: 1, grace_minutes: 1 }, true],
  [{ fee: 100_00, grace_minutes: 240 }, true],
  [{ fee: 0, grace_minutes: 10 }, false],
  [{ fee: -1, grace_minutes: 10 }, false],
  [{ fee: 1.5, grace_minutes: 10 }, false],
  [{ fee: 100_01, grace_minutes: 10 }, false],
  [{ fee: 2_00, grace_minutes: 0 }, false],
  [{ fee: 2_00, grace_minutes: 241 }, false],
  [{ fee: 2_00, grace_minutes: 1.5 }, false],
  [{ fee: 2_00 }, false],
])('the terms %j are valid: %s', (terms, isValid) => {
  expect(IdleFee.safeParse(terms).success).toBe(isValid);
});
