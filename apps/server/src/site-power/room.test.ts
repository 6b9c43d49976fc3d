import { expect, test } from 'vitest';
import { roomFor, type SiteClaim } from './room.ts';

let ids = 0;
const connector = (more: Partial<SiteClaim> = {}): SiteClaim => ({
  id: ++ids,
  operation: null,
  ratedW: 50_000,
  leastW: 5_000,
  hasProfiles: true,
  isOnline: true,
  obeys: null,
  isRunning: false,
  drawnW: null,
  capW: null,
  isSettled: false,
  askedW: null,
  isOnTrial: false,
  isTrialDue: false,
  waitsFor: null,
  fallbackW: null,
  ...more,
});
const running = (more: Partial<SiteClaim> = {}) => connector({ isRunning: true, operation: ++ids, ...more });
const waiting = (waitsFor: SiteClaim['waitsFor'], operation: number, more: Partial<SiteClaim> = {}) =>
  connector({ waitsFor, operation, ...more });
const limitW = 100_000;

test.each<[string, SiteClaim[], 'yes' | 'full']>([
  ['an empty site has room', [], 'yes'],
  ['a charge of rated power fits beside another', [running()], 'yes'],
  ['a third does not', [running(), running()], 'full'],
  [
    'what was measured does not count for a device that was not seen to obey',
    [running(), running({ drawnW: 1 })],
    'full',
  ],
  ['nor what it has accepted', [running(), running({ capW: 5_000 })], 'full'],
  ['nor for one that ignores it', [running(), running({ obeys: false, capW: 5_000 })], 'full'],
  ['a device that obeys counts its least power', [running(), running({ obeys: true })], 'full'],
  ['two that obey leave room', [running({ obeys: true }), running({ obeys: true })], 'yes'],
  ['without profiles the rated power counts', [running(), running({ obeys: true, hasProfiles: false })], 'full'],
  ['one that is away counts its rated power', [running(), running({ obeys: true, isOnline: false })], 'full'],
  ['a charge that is not paid for yet counts', [running(), waiting('money', 1)], 'full'],
  ['one that is about to start counts', [running(), waiting('power', 1)], 'full'],
  ['a free connector does not count', [running(), connector(), connector()], 'yes'],
])('before the payment: %s', (_name, others, expected) => {
  const own = connector();
  expect(roomFor(limitW, [...others, own], { connector: own.id, operation: null })).toBe(expected);
});

test('a device that obeys begins with its standing limit, another one with its rated power', () => {
  const others = [running(), running({ obeys: true, leastW: 30_000 })];
  const own = connector({ obeys: true, fallbackW: 20_000 });
  const asked = { connector: own.id, operation: null };
  expect(roomFor(limitW, [...others, own], asked)).toBe('yes');
  expect(roomFor(limitW, [...others, { ...own, fallbackW: null }], asked)).toBe('full');
});

test('before its start an operation counts those that were opened earlier, and what has started', () => {
  const own = waiting('start', 20);
  const asked = { connector: own.id, operation: 20 };
  expect(roomFor(limitW, [running(), waiting('start', 21), waiting('money', 22), own], asked)).toBe('yes');
  expect(roomFor(limitW, [running(), waiting('money', 19), own], asked)).toBe('full');
  expect(roomFor(limitW, [running(), waiting('power', 21), own], asked)).toBe('full');
});

test('a start waits until the others have lowered their power', () => {
  const own = waiting('start', 20);
  const asked = { connector: own.id, operation: 20 };
  const room = (more: Partial<SiteClaim>) =>
    roomFor(limitW, [running({ obeys: true, ratedW: 90_000, ...more }), own], asked);
  expect(room({})).toBe('wait');
  expect(room({ capW: 90_000 })).toBe('wait');
  expect(room({ capW: 50_000, askedW: 80_000 })).toBe('wait');
  expect(room({ capW: 50_000 })).toBe('yes');
});

test('of any number of starts one after the other, the rated power of what does not obey stays within the limit', () => {
  for (let count = 1; count <= 12; count += 1) {
    const all = Array.from({ length: count }, () => connector({ ratedW: 7_000 * (1 + (count % 5)) }));
    for (const own of all) {
      const isAllowed = roomFor(limitW, all, { connector: own.id, operation: null }) === 'yes';
      if (isAllowed) Object.assign(own, { isRunning: true, operation: own.id });
    }
    const sum = all.filter(({ isRunning }) => isRunning).reduce((total, { ratedW }) => total + ratedW, 0);
    expect(sum).toBeLessThanOrEqual(limitW);
    expect(sum).toBeGreaterThan(0);
  }
});
