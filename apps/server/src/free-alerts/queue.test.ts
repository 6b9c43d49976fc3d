import { expect, test } from 'vitest';
import { offersOf } from './queue.ts';

const [first, second] = [
  { id: 1, type: 'ccs', connector: null },
  { id: 2, type: 'ccs', connector: null },
];
const ccs = (id: number) => ({ id, type: 'ccs' });

test.each([
  ['nothing is free', [first, second], [], [], []],
  ['one is free: the first in the queue', [first, second], [ccs(7)], [], [{ alert: 1, connector: 7 }]],
  [
    'two are free: both',
    [first, second],
    [ccs(7), ccs(8)],
    [],
    [
      { alert: 1, connector: 7 },
      { alert: 2, connector: 8 },
    ],
  ],
  ['one with a head start of another driver', [second], [ccs(7)], [7], []],
  ['another type', [first], [{ id: 7, type: 'type2' }], [], []],
  [
    'one who wants another connector does not block the next',
    [{ ...first, connector: 9 }, second],
    [ccs(7)],
    [],
    [{ alert: 2, connector: 7 }],
  ],
  ['one who wants this connector', [{ ...first, connector: 8 }], [ccs(7), ccs(8)], [], [{ alert: 1, connector: 8 }]],
])('%s', (_case, waiting, free, offered, offers) => {
  expect(offersOf(waiting, free, new Set(offered))).toEqual(offers);
});
