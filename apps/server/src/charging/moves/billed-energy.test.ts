import { wattHours } from '@fpay/contract/money';
import { expect, test } from 'vitest';
import { type Billed, billedEnergy, settledEnergy } from './billed-energy.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15, 12) + seconds * 1_000);
/** The stop was requested at 0 s; the last reading within the limit was 1,000 Wh at 20 s. */
const stopped: Billed = {
  status: 'finishing',
  energy: wattHours(1_000),
  createdAt: at(-700),
  startedAt: at(-600),
  lastSampleAt: at(20),
  billedUntil: at(30),
  firstUnbilled: null,
};

test.each([
  ['a reading before the bound counts in full', stopped, 1_200, 25, 1_200],
  ['a reading at the bound counts in full', stopped, 1_200, 30, 1_200],
  ['a reading after it counts in proportion to the time', stopped, 1_200, 40, 1_100],
  ['a reading long after it too', stopped, 2_000, 120, 1_100],
  [
    'the first reading after the bound decides, not the later ones',
    { ...stopped, firstUnbilled: { energy: wattHours(1_100), at: at(30) } },
    9_000,
    600,
    1_100,
  ],
  [
    'without any reading the time counts from the start',
    { ...stopped, energy: wattHours(0), lastSampleAt: null },
    2_520,
    30 + 630,
    1_260,
  ],
  ['no stop was requested', { ...stopped, billedUntil: null }, 9_000, 600, 9_000],
  [
    'what was settled past the bound stays',
    { ...stopped, status: 'finished' as const, firstUnbilled: { energy: wattHours(1_500), at: at(35) } },
    9_000,
    600,
    1_000,
  ],
])('%s', (_what, operation, energy, seconds, billed) => {
  expect(billedEnergy(operation, wattHours(energy), at(seconds))).toBe(billed);
});

test('a charge that is settled without its stop counts up to the limit, or to its last reading', () => {
  expect(settledEnergy(stopped)).toBe(1_000);
  expect(settledEnergy({ ...stopped, firstUnbilled: { energy: wattHours(1_200), at: at(40) } })).toBe(1_100);
});
