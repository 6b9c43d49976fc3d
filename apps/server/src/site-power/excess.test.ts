import { expect, test } from 'vitest';
import { chargesToStop, type Running, takenAt } from './excess.ts';

let ids = 0;
const charge = (more: Partial<Running> = {}): Running => {
  const id = ++ids;
  return {
    id,
    operation: 100 + id,
    ratedW: 50_000,
    leastW: 5_000,
    hasProfiles: false,
    isOnline: true,
    obeys: null,
    isRunning: true,
    isOngoing: true,
    isEnding: false,
    startedAt: new Date(Date.UTC(2026, 10, 18, 12, id)),
    drawnW: 48_000,
    capW: null,
    isSettled: false,
    askedW: null,
    isOnTrial: false,
    isTrialDue: false,
    waitsFor: null,
    fallbackW: null,
    ...more,
  };
};

test.each<[string, Partial<Running>, number]>([
  ['what was measured', {}, 48_000],
  ['never more than the rated power', { drawnW: 50_400 }, 50_000],
  ['the rated power while nothing was measured', { drawnW: null }, 50_000],
  ['what the device has accepted since the last reading', { hasProfiles: true, obeys: true, capW: 20_000 }, 20_000],
  ['also when it was not seen yet: its next reading shows it', { hasProfiles: true, capW: 20_000 }, 20_000],
  ['but not when it does not obey', { hasProfiles: true, obeys: false, capW: 20_000 }, 48_000],
  ['less than accepted', { hasProfiles: true, obeys: true, capW: 20_000, drawnW: 9_000 }, 9_000],
  [
    'the standing limit before its first share',
    { hasProfiles: true, obeys: true, drawnW: null, fallbackW: 12_000 },
    12_000,
  ],
  ['nothing when it was just asked to stop', { isEnding: true, isOngoing: false }, 0],
  ['what was measured when the stop was not obeyed', { isOngoing: false }, 48_000],
  ['nothing when it is free', { isRunning: false }, 0],
])('a charge takes %s', (_name, more, watts) => expect(takenAt([charge(more)])).toBe(watts));

test('the newest charges are stopped, as many as needed', () => {
  const [first, second, third] = [charge(), charge(), charge()];
  const all = [third, first, second];
  expect(chargesToStop(150_000, all)).toEqual([]);
  expect(chargesToStop(100_000, all)).toEqual([third.operation]);
  expect(chargesToStop(60_000, all)).toEqual([third.operation, second.operation]);
  expect(chargesToStop(10_000, all)).toEqual([third.operation, second.operation, first.operation]);
});

test('a charge is not stopped when that would not help, or cannot be done', () => {
  const first = charge();
  expect(chargesToStop(40_000, [first, charge({ drawnW: 0 })])).toEqual([first.operation]);
  expect(chargesToStop(60_000, [first, charge({ isOnline: false })])).toEqual([first.operation]);
  expect(chargesToStop(60_000, [first, charge({ operation: null, isOngoing: false })])).toEqual([first.operation]);
});
