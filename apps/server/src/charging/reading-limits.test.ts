import { expect, test } from 'vitest';
import { readingLimitsOf, sampleSecondsOf } from './reading-limits.ts';

test.each([
  { interval: 10, staleAfter: 30, silentAfter: 60 },
  { interval: 12, staleAfter: 30, silentAfter: 60 },
  { interval: 13, staleAfter: 33, silentAfter: 65 },
  { interval: 15, staleAfter: 38, silentAfter: 75 },
  { interval: 30, staleAfter: 75, silentAfter: 150 },
  { interval: 60, staleAfter: 150, silentAfter: 300 },
  { interval: 300, staleAfter: 750, silentAfter: 1500 },
  { interval: null, staleAfter: 150, silentAfter: 300 },
  { interval: 0, staleAfter: 150, silentAfter: 300 },
])(
  'with an interval of $interval s a reading is old after $staleAfter s, and the station is silent after $silentAfter s [STN-24]',
  ({ interval, ...limits }) => {
    expect(readingLimitsOf(interval)).toEqual(limits);
  },
);

test.each([
  ['15', 15],
  ['0', 0],
  ['99999', 99_999],
  ['100000', null],
  ['-5', null],
  ['1.5', null],
  ['', null],
  ['often', null],
  [null, null],
])('the setting %j is an interval of %j s [STN-24]', (setting, seconds) => {
  expect(sampleSecondsOf(setting)).toBe(seconds);
});
