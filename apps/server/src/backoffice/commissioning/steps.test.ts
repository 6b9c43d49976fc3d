import { expect, test } from 'vitest';
import { type CommissioningFacts, commissioningSteps, isGrowing, nothingOpen } from './steps.ts';

const done: CommissioningFacts = {
  isOnline: true,
  firmware: '1.14.2',
  bootedAt: '2026-11-15T10:00:00Z',
  clockAheadMs: 400,
  configuration: { set: 6, refused: [] },
  connectors: [
    { number: 1, type: 'ccstype2' },
    { number: 2, type: 'chademo' },
  ],
  plugged: [1, 2],
  charge: { operation: 7, energyWh: 512 },
  readings: { count: 12, longestGapMs: 10_400, isGrowing: true },
  unlocked: [1, 2],
};
const statesOf = (facts: Partial<CommissioningFacts>, faults: Record<string, string> = {}) =>
  Object.fromEntries(
    commissioningSteps(faults, { ...done, ...facts }).map(({ check, connector, state }) => [
      connector === null ? check : `${check}:${connector}`,
      state,
    ]),
  );

test('everything that the charger reported is done, and then the result can be kept', () => {
  const steps = commissioningSteps({}, done);
  expect(new Set(steps.map(({ state }) => state))).toEqual(new Set(['done']));
  expect(steps).toHaveLength(10);
  expect(nothingOpen(steps)).toBe(true);
});

test.each<[string, Partial<CommissioningFacts>, string]>([
  ['a device without a connection', { isOnline: false }, 'connected'],
  ['one that never booted', { bootedAt: null }, 'booted'],
  ['a clock that is two minutes slow', { clockAheadMs: -120_000 }, 'clock'],
  ['a device that sent no time', { clockAheadMs: null }, 'clock'],
  ['a refused key', { configuration: { set: 5, refused: ['HeartbeatInterval'] } }, 'configured'],
  ['a connector that was never plugged', { plugged: [1] }, 'plugged:2'],
  ['no test charge', { charge: null }, 'charged'],
  ['a test charge that delivered nothing', { charge: { operation: 7, energyWh: 0 } }, 'charged'],
  ['a test charge of some seconds', { charge: { operation: 7, energyWh: 99 } }, 'charged'],
  ['readings every minute', { readings: { count: 5, longestGapMs: 60_000, isGrowing: true } }, 'metered'],
  ['a register that does not grow', { readings: { count: 5, longestGapMs: 10_000, isGrowing: false } }, 'metered'],
  ['a lock that did not answer', { unlocked: [2] }, 'unlocked:1'],
])('%s is the active step', (_name, facts, step) => expect(statesOf(facts)[step]).toBe('active'));

test('only one step is active, and a recorded fault goes on to the next', () => {
  const facts = { plugged: [], unlocked: [] };
  expect(statesOf(facts)).toMatchObject({ 'plugged:1': 'active', 'plugged:2': 'open', 'unlocked:1': 'open' });
  const faults = { 'plugged:1': 'no cable' };
  expect(statesOf(facts, faults)).toMatchObject({ 'plugged:1': 'fault', 'plugged:2': 'active' });
  expect(nothingOpen(commissioningSteps(faults, { ...done, plugged: [2] }))).toBe(true);
});

test('what the charger reports later replaces a fault', () => {
  expect(statesOf({}, { 'plugged:1': 'no cable' })['plugged:1']).toBe('done');
});

test.each<[string, number[], boolean]>([
  ['grows', [2, 40, 90], true],
  ['grows in coarse steps', [0, 0, 100, 100, 200, 200], true],
  ['field problem 56: stands still with the relay closed', [2, 2, 2], false],
  ['rises once and stands still', [2, 40, 40, 40], false],
  ['falls', [2, 40, 10, 90], false],
  ['one reading sent', [2], false],
  ['none sent', [], false],
])('a meter that %s', (_name, energies, grows) => expect(isGrowing(energies)).toBe(grows));
