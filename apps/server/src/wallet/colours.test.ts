import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Parts, paidByParty, partyPart } from './colours.ts';
import { colourActions } from './testing/colour-actions.ts';
import { createColourModel } from './testing/colour-model.ts';
import type { Takes } from './transfer.ts';

test.each<[Takes, number, Parts, number]>([
  ['party', 30, { own: 100, party: 50 }, 30],
  ['party', 80, { own: 100, party: 50 }, 50],
  ['own', 80, { own: 100, party: 50 }, 0],
  ['own', 120, { own: 100, party: 50 }, 20],
  ['own_only', 120, { own: 100, party: 50 }, 0],
  ['party_only', 60, { own: 100, party: 50 }, 60],
])('%s takes of %i from %o the party’s %i', (takes, amount, parts, expected) => {
  expect(partyPart(takes, amount, parts)).toBe(expected);
});

test('a reward goes to the money that paid the larger part', () => {
  expect(paidByParty({ own: 40, party: 60 })).toBe(true);
  expect(paidByParty({ own: 50, party: 50 })).toBe(false);
  expect(paidByParty({ own: 60, party: 40 })).toBe(false);
});

test('in 1,000 random sequences two colluding members never take money of the party out of it [PARTY-18]', () => {
  let done = 0;
  let partings = 0;
  fc.assert(
    fc.property(colourActions({ minLength: 10, maxLength: 40 }), (actions) => {
      const model = createColourModel(2);
      model.act({ kind: 'topUpOwner', member: 0, amount: 500_00 });
      for (const action of actions) {
        const before = model.partySum();
        const isDone = model.act(action);
        if (isDone) done += 1;
        if (isDone && action.kind === 'leave') partings += 1;
        expect([action, model.partySum() >= before]).toEqual([action, true]);
        for (const { own, party, isInside } of model.wallets) {
          expect([own >= 0, party >= 0, isInside || party === 0]).toEqual([true, true, true]);
        }
      }
    }),
    { numRuns: 1_000, seed: 51 },
  );
  expect(done).toBeGreaterThan(7_000);
  expect(partings).toBeGreaterThan(500);
});
