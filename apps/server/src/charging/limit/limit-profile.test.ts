import { expect, test } from 'vitest';
import { cutInMs, txProfile } from './limit-profile.ts';

test.each<[what: string, leftWh: number, powerW: number | null, ms: number]>([
  ['the device cuts when rated power has delivered the rest, and 5 s later', 10_000, 60_000, 605_000],
  ['also while the car takes less', 10_000, 20_000, 605_000],
  ['nearer to the limit the present power counts, with more room', 200, 30_000, 39_000],
  ['but no less than a quarter of the rated power', 200, 1_000, 63_000],
  ['and rated power when none is known', 200, null, 17_000],
])('%s', (_, leftWh, powerW, ms) => {
  expect(cutInMs(leftWh, 60_000, powerW)).toBe(ms);
});

test('field problem 65: a device that loses its socket cuts 5 s of rated power past the limit, at any power and limit', () => {
  for (const ratedW of [7_000, 22_000, 150_000, 350_000]) {
    const limitWh = Math.ceil((ratedW * 24) / 3_600);
    const deliveredWh = (cutInMs(limitWh, ratedW, null) * ratedW) / 3_600_000;
    expect(deliveredWh).toBeGreaterThanOrEqual(limitWh);
    expect(deliveredWh - limitWh).toBeLessThanOrEqual((ratedW * 5) / 3_600 + 1);
  }
});

test('a profile cuts to 0 relative to the start of the transaction, in the unit that the device supports', () => {
  const request = { connectorId: 2, transactionId: 77, ratedW: 22_000, shareW: null, cutAfterMs: 61_200 };
  const periods = (rateUnits: string) => txProfile({ ...request, rateUnits }).csChargingProfiles.chargingSchedule;
  const inWatts = [
    { startPeriod: 0, limit: 22_000 },
    { startPeriod: 62, limit: 0 },
  ];
  for (const units of ['Power', 'Current,Power', 'W', '']) {
    expect(periods(units)).toEqual({ chargingRateUnit: 'W', chargingSchedulePeriod: inWatts });
  }
  for (const units of ['Current', 'A']) {
    expect(periods(units)).toMatchObject({
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [{ limit: 96 }, { limit: 0 }],
    });
  }
  expect(txProfile({ ...request, rateUnits: '' }).csChargingProfiles).toMatchObject({
    chargingProfileId: 77,
    transactionId: 77,
    chargingProfilePurpose: 'TxProfile',
    chargingProfileKind: 'Relative',
    stackLevel: 0,
  });
});

test.each([
  ['', 14_000, 'W', 14_000],
  ['Current', 14_000, 'A', 20.2],
  ['Current', 0, 'A', 0],
  ['', 60_000, 'W', 22_000],
])('a share of a site is the first period: %s, %i W is %s %d', (rateUnits, shareW, unit, limit) => {
  const request = { connectorId: 2, transactionId: 77, ratedW: 22_000, shareW, rateUnits, cutAfterMs: null };
  expect(txProfile(request).csChargingProfiles.chargingSchedule).toEqual({
    chargingRateUnit: unit,
    chargingSchedulePeriod: [{ startPeriod: 0, limit }],
  });
});
