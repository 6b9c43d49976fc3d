import { expect, test } from 'vitest';
import { keptBefore, type PowerWaiter, planQueue, type QueueConnector } from './turns.ts';

const limitW = 100_000;
const connector = (id: number, more: Partial<QueueConnector> = {}): QueueConnector => ({
  id,
  operation: null,
  ratedW: 50_000,
  leastW: 5_000,
  hasProfiles: false,
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
  canBegin: true,
  secondsLeft: null,
  ...more,
});
const running = (id: number, secondsLeft: number | null, more: Partial<QueueConnector> = {}) =>
  connector(id, { isRunning: true, operation: id, canBegin: false, secondsLeft, ...more });
const waits = (connectorId: number, isNotified = false): PowerWaiter => ({
  id: 100 + connectorId,
  user: 1_000 + connectorId,
  connector: connectorId,
  isNotified,
});
const small = { ratedW: 20_000 };

type Expected = [turn: string, secondsLeft: number | null];
test.each<[string, QueueConnector[], PowerWaiter[], Expected[]]>([
  ['there is room: it is the turn of the first', [running(1, 60), connector(2)], [waits(2)], [['now', 0]]],
  [
    'the turn comes with the end of a charge',
    [running(1, 600), running(2, 90), connector(3)],
    [waits(3)],
    [['wait', 90]],
  ],
  [
    'and of the next one with the end of the next charge',
    [running(1, 600), running(2, 90), connector(3), connector(4)],
    [waits(3), waits(4)],
    [
      ['wait', 90],
      ['wait', 600],
    ],
  ],
  [
    'after the last charge nothing is known: the queue itself will charge',
    [running(1, 600), running(2, 90), connector(3), connector(4), connector(5)],
    [waits(3), waits(4), waits(5)],
    [
      ['wait', 90],
      ['wait', 600],
      ['wait', null],
    ],
  ],
  ['a charge without a known end', [running(1, null), running(2, null), connector(3)], [waits(3)], [['wait', null]]],
  [
    'one who needs less does not pass one who needs more',
    [running(1, 60), running(2, 90, { ratedW: 20_000 }), connector(3), connector(4, small)],
    [waits(3), waits(4)],
    [
      ['wait', 60],
      ['wait', 60],
    ],
  ],
  [
    'one whose connector is taken holds up no other',
    [running(1, 60), connector(2, { canBegin: false }), connector(3)],
    [waits(2), waits(3)],
    [
      ['wait', null],
      ['now', 0],
    ],
  ],
  [
    'one who needs more than the whole site holds up no other',
    [running(1, 60), connector(2, { ratedW: 150_000 }), connector(3)],
    [waits(2), waits(3)],
    [
      ['wait', null],
      ['now', 0],
    ],
  ],
  [
    'of two at one connector the first',
    [connector(1)],
    [waits(1), { ...waits(1), id: 2 }],
    [
      ['now', 0],
      ['wait', null],
    ],
  ],
  [
    'a head start keeps its power, and the next one waits',
    [running(1, 60), connector(2), connector(3)],
    [waits(2, true), waits(3)],
    [
      ['kept', 0],
      ['wait', 60],
    ],
  ],
  [
    'the power of a head start is gone: the driver waits again',
    [running(1, 60), running(2, 90), connector(3)],
    [waits(3, true)],
    [['again', null]],
  ],
  ['the station has left the site', [connector(1)], [waits(9)], [['gone', null]]],
])('%s', (_name, connectors, queue, expected) => {
  const planned = planQueue(limitW, connectors, queue);
  expect(queue.map(({ id }) => [planned.get(id)?.turn, planned.get(id)?.secondsLeft])).toEqual(expected);
});

test('a driver without a place comes after the whole queue, one with a place after those before', () => {
  const connectors = [running(1, 60), connector(2), connector(3, small), connector(4)];
  const queue = [waits(2, true), waits(3), waits(4)];
  const kept = (user: number | null) => {
    const { watts, connectors: ids } = keptBefore(user, queue, planQueue(limitW, connectors, queue));
    return [watts, [...ids]];
  };
  expect(kept(null)).toEqual([120_000, [2]]);
  expect(kept(1_002)).toEqual([0, []]);
  expect(kept(1_003)).toEqual([50_000, [2]]);
  expect(kept(1_004)).toEqual([70_000, [2]]);
});
