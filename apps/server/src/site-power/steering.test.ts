import { expect, test } from 'vitest';
import { isOnTrial, type Observed, obeysBy } from './steering.ts';

const capAt = new Date('2026-11-18T12:00:00Z');
const after = (seconds: number) => new Date(capAt.getTime() + seconds * 1_000);
const observed = (more: Partial<Observed>): Observed => ({
  capW: 20_000,
  capAt,
  beforeW: null,
  fromW: 40_000,
  drawnW: 20_000,
  readAt: after(8),
  ...more,
});

test.each<[string, Partial<Observed>, boolean | null]>([
  ['the power has fallen to the limit', {}, true],
  ['it has fallen further', { drawnW: 0 }, true],
  ['a little above is within what meters err', { drawnW: 21_200 }, true],
  ['it has not fallen', { drawnW: 40_000 }, false],
  ['cars need some seconds', { drawnW: 40_000, readAt: after(3) }, null],
  ['above what was allowed before, too', { drawnW: 40_000, beforeW: 25_000, readAt: after(3) }, false],
  ['within what was allowed before', { drawnW: 25_500, beforeW: 25_000, readAt: after(3) }, null],
  ['a reading from before the limit', { drawnW: 40_000, beforeW: 25_000, readAt: after(-1) }, null],
  ['it falls at once', { readAt: after(1) }, true],
  ['the reading is older than the limit', { readAt: after(-1) }, null],
  ['it falls a minute later, which may have any reason', { readAt: after(60) }, null],
  ['it rises again a minute later', { drawnW: 40_000, readAt: after(60) }, false],
  ['the limit was not lower than the power', { fromW: null }, null],
  ['it was only a little lower', { fromW: 21_000 }, null],
  ['above a limit that was not lower', { fromW: null, drawnW: 30_000 }, false],
  ['nothing was accepted', { capW: null }, null],
  ['nothing was measured', { drawnW: null }, null],
])('%s', (_name, more, expected) => expect(obeysBy(observed(more))).toBe(expected));

test('a trial lasts until its readings have come', () => {
  const now = capAt.getTime() + 30_000;
  expect(isOnTrial({ fromW: 40_000, capAt }, false, now)).toBe(true);
  expect(isOnTrial({ fromW: 40_000, capAt }, false, now + 30_000)).toBe(false);
  expect(isOnTrial({ fromW: 40_000, capAt: null }, true, now)).toBe(true);
  expect(isOnTrial({ fromW: null, capAt }, true, now)).toBe(false);
});
